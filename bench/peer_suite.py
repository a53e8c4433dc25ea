"""What the scripts of peers share."""


def asks_for(only, name):
    """Whether `only`, names separated by commas, asks for a case: it contains one of them."""
    return any(part in name for part in only.split(","))
