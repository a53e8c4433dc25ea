"""The results of functions that are declared `auto`: what their bodies or docs/functions name, or a function of the same name."""
import re

import signatures

ARRAYS = {"detail::typed": "ndarray", "detail::as_number": "scalar_array"}
TYPES = r"(?:gparray::)?(detail::typed|detail::as_number|ndarray|expr|scalar_array|scalar_expr|matrix|std::pair|poly1d|\w+_result" \
        r"|SuperLU|LinearOperator)<"
# What has the type of the array before the dot.
SAME = r"(\w+)\.(?:reshape|ravel|eval|copy)\(.*\)"
AUTO = r"(^|\n)auto (?=(?:operator ?)?\S)"


def closing(text, start):
    """The place of the bracket that closes the < at start, which is the last of the text if none does."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"<": 1, ">": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return len(text) - 1


def is_one_call(text):
    """Whether this is (...) or {...} and nothing behind it."""
    depth = 0
    for i, c in enumerate(text):
        depth += (c in "({") - (c in ")}")
        if depth == 0:
            return i > 0 and i == len(text) - 1
    return False


def locals_of(body):
    """The variables of a body whose declarations name a type."""
    found = {}
    for named in re.finditer(rf"(?:^|[;{{}}] ?|const ){TYPES}", body):
        end = closing(body, named.end() - 1)
        if name := re.match(r" (\w+)(?= = |;|\(|, \w+ = )", body[end + 1:]):
            found[name[1]] = (named[1], body[named.end():end])
    return found


def of_body(lines):
    """What a function whose result is `auto` returns, if all returns name one type, else ""."""
    body = " ".join(line.split("//")[0].strip() for line in lines)
    aliases = dict(re.findall(r"using (\w+) = ([^;]+);", body))
    variables, found = locals_of(body), set()
    for text in re.findall(r"\breturn ([^;]+);", body):
        kind = inner = ""
        if named := re.match(TYPES, text):
            end = closing(text, named.end() - 1)
            if is_one_call(text[end + 1:]):
                kind, inner = named[1], text[named.end():end]
        elif name := re.fullmatch(rf"(\w+)|{SAME}", text):
            kind, inner = variables.get(name[1] or name[2], ("", ""))
        for alias, is_ in aliases.items():
            inner = re.sub(rf"\b{alias}\b", is_, inner)
        found.add(f"{ARRAYS.get(kind, kind)}<{inner}>" if kind else "")
    result = found.pop() if len(found) == 1 else ""
    return "" if re.search(r"conditional|decltype|[?(]", result) else signatures.tidy(result)


def of_text(text):
    """The type in backticks at the beginning of `returns:`, if there is one."""
    named = re.match(r"(?:An? |The )?`([\w:]+(?:<[^`]*>)?[&*]?)`", text)
    return named[1] if named and re.search(r"[<:]|_result|_matrix|dtype|dims|bool|double|int", named[1]) else ""


def is_auto(signature):
    return re.search(AUTO, signature) is not None


def named(signature, result):
    return re.sub(AUTO, rf"\g<1>{result} ", signature) if result else signature


def of_signature(signature, name):
    return signature.split("\n", signature.startswith("template"))[-1].split(f" {name}(")[0]


def of_method(entry, method):
    """What a method of ndarray<V> returns that calls the function of its name."""
    if entry.row:
        whole = "(" + method.signature.split("(", 1)[1]
        number = entry.row["kind"] == "reduction" and "axis" not in whole
        return "scalar_expr<R>" if number else "expr<R>"
    found = {d.result(entry.last) for d in entry.declarations if "sparse/" not in d.path} - {"O&&"}
    found = {re.sub(r"element_t<\w+>", "V", result) for result in found}
    return found.pop() if len(found) == 1 else ""
