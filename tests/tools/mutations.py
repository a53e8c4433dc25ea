"""Places where a line of C++ can be changed into another that means something else, and the changes: what mutants.py tries."""
import re

# Formatted code has spaces around operators, and none around the brackets of templates.
RULES = {
    "less": (r" < ", " <= "),
    "less_equal": (r" <= ", " < "),
    "greater": (r" > ", " >= "),
    "greater_equal": (r" >= ", " > "),
    "equal": (r" == ", " != "),
    "not_equal": (r" != ", " == "),
    "and": (r" && ", " || "),
    "or": (r" \|\| ", " && "),
    "not": (r"!(?=[a-z_])", ""),
    "plus_one": (r" \+ 1\b", ""),
    "minus_one": (r" - 1\b", ""),
    "plus": (r" \+ (?!1\b)", " - "),
    "minus": (r" - (?!1\b)", " + "),
    "min": (r"\bstd::min\b", "std::max"),
    "max": (r"\bstd::max\b", "std::min"),
    "true": (r"\btrue\b", "false"),
    "false": (r"\bfalse\b", "true"),
    "statement": (r"^ +(?!return|const|auto|case|break|using|static|template|if|for|while|else|})[a-z_].*;$", ""),
}


def code_of(line):
    """The line with texts and comments blanked out, of the same length."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "~" * (len(m.group()) - 2) + '"', line)
    line = re.sub(r"'(\\.|[^'\\])'", lambda m: "~" * len(m.group()), line)
    return re.sub(r"//.*", lambda m: "~" * len(m.group()), line)


def places_in(text):
    for number, line in enumerate(text.split("\n")):
        if line.lstrip().startswith(("#", "template", "requires", "static_assert", "//")):
            continue
        code = code_of(line)
        for rule, (pattern, _) in RULES.items():
            for match in re.finditer(pattern, code):
                yield number, match.start(), rule


def mutated(text, number, column, rule):
    lines = text.split("\n")
    pattern, replacement = RULES[rule]
    match = re.compile(pattern).match(code_of(lines[number]), column)
    lines[number] = lines[number][: match.start()] + replacement + lines[number][match.end() :]
    return "\n".join(lines)


def in_turns(places, draws):
    """Each rule as often as the others: most lines are statements."""
    by_rule = {}
    for place in places:
        by_rule.setdefault(place[-1], []).append(place)
    for each in by_rule.values():
        draws.shuffle(each)
    while by_rule:
        rule = draws.choice(sorted(by_rule))
        yield by_rule[rule].pop()
        if not by_rule[rule]:
            del by_rule[rule]
