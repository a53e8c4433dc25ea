#!/usr/bin/env python3
"""Do the tests bite? Changes one place of the library at random, builds it, runs the CPU suite, and counts what no test noticed.

    tests/tools/mutants.py --count 100 --seed 1          # hours; --only src/core/sparse for some files
    tests/tools/mutants.py --repeat FILE:LINE:COLUMN:RULE   # one again, as it was printed

Works on a copy of the committed tree in --work, so the tree itself is not touched. A change that does not compile, or whose object
is the same, does not count. A survivor is a test that is missing, or a change that makes no difference: read it and say which.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys
import time

FOLDERS = ("src/core", "src/host", "src/kernel", "src/memory")
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


class Trial:
    def __init__(self, tree, build, jobs, log):
        self.tree, self.build, self.jobs, self.log = tree, build, str(jobs), log

    def run(self, *command):
        return subprocess.run(command, cwd=self.tree, stdout=self.log, stderr=subprocess.STDOUT).returncode

    def configure(self):
        status = self.run(
            "cmake", "--preset", "release", "-B", self.build, "-G", "Ninja", "-DGPARRAY_WITH_CUDA=OFF", "-DGPARRAY_BUILD_EXAMPLES=OFF",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DGPARRAY_INSTALL=OFF")
        return status == 0 and self.compiles()

    def compiles(self):
        return self.run("cmake", "--build", self.build, "--parallel", self.jobs) == 0

    def passes(self, *filters):
        # What compiles programs of its own says little of the library, and takes long.
        return self.run("ctest", "--test-dir", self.build, "-L", "^cpu$", "-E", "headers/|compile_errors/|architectures/", "-j", self.jobs,
                        "--stop-on-failure", "--timeout", "120", *filters) == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose path begins so")
    parser.add_argument("--repeat", default="", help="FILE:LINE:COLUMN:RULE")
    parser.add_argument("--work", default="build-mutants")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()

    root = pathlib.Path(__file__).resolve().parents[2]
    work = root / options.work
    tree = work / "tree"
    work.mkdir(exist_ok=True)
    if not tree.exists():
        subprocess.run(["git", "worktree", "add", "--detach", str(tree), "HEAD"], cwd=root, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["git", "checkout", "-q", "--force", "--detach", subprocess.check_output(
        ["git", "rev-parse", "HEAD"], cwd=root, text=True).strip()], cwd=tree, check=True)

    files = sorted(f for folder in FOLDERS for f in (tree / folder).rglob("*") if f.suffix in (".cpp", ".hpp"))
    files = [f for f in files if str(f.relative_to(tree)).startswith(options.only)]
    places = [(f, *place) for f in files for place in places_in(f.read_text())]
    places = in_turns(places, random.Random(options.seed))
    if options.repeat:
        name, line, column, rule = options.repeat.split(":")
        places = [(tree / name, int(line) - 1, int(column) - 1, rule)]

    with open(work / "log.txt", "a") as log:
        trial = Trial(tree, str(work / "build"), options.jobs, log)
        if not trial.configure() or not trial.passes():
            sys.exit(f"the tests do not pass without a change: {work}/log.txt")
        killed, survivors = 0, []
        for file, number, column, rule in places:
            if killed + len(survivors) == options.count:
                break
            name = f"{file.relative_to(tree)}:{number + 1}:{column + 1}:{rule}"
            original = file.read_text()
            start = time.monotonic()
            try:
                file.write_text(mutated(original, number, column, rule))
                if not trial.compiles():
                    continue
                survived = trial.passes()
            finally:
                file.write_text(original)
            if survived:
                survivors.append(name)
            else:
                killed += 1
            print(f"{'SURVIVED' if survived else 'killed  '} {name} ({time.monotonic() - start:.0f} s)", flush=True)
            if survived:
                print("    " + original.split("\n")[number].strip(), flush=True)
    total = killed + len(survivors)
    print(f"{killed} of {total} killed ({100 * killed / max(total, 1):.0f} %)")


if __name__ == "__main__":
    main()
