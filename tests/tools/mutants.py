#!/usr/bin/env python3
"""Do the tests bite? Changes one place of the library at random, builds it, runs the CPU suite, and counts what no test noticed.

    tests/tools/mutants.py --count 100 --seed 1          # hours; --only src/core/sparse for some files
    tests/tools/mutants.py --count 100 --quick              # first without suites of more than a few seconds
    tests/tools/mutants.py --resume                         # where it was stopped; after --quick, what survived that
    tests/tools/mutants.py --repeat FILE:LINE:COLUMN:RULE   # one again, as it was printed

Works on a copy of the committed tree in --work, so the tree itself is not touched. A change that does not compile, or after which
the library is the same to the byte, does not count. A survivor is a test that is missing, or a change that makes no difference:
read it and say which.
"""
import argparse
import hashlib
import itertools
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import mutations

FOLDERS = ("src/core", "src/host", "src/kernel", "src/memory")
PROGRAMS = ("tests/gparray_tests", "tests/gparray_private_tests")


class Tests:
    """The tests with label cpu: suites that are run one by one, the quick ones first, and then what CTest runs."""

    # What compiles programs of its own says little of the library, and takes long.
    LEFT_OUT = "^cpu/test_|^headers/|^compile_errors/|^documents/|^cpu/document_|^cpu/functions_|architectures|old_cuda|stray|missing_"
    SECONDS = 1800  # of a wait without end, on a machine that may be busy
    MEMORY = 12 << 20  # KiB

    def __init__(self, build, jobs, log, quick):
        self.build, self.jobs, self.log, self.quick, self.seconds = build, jobs, log, quick, {}

    def read(self):
        listed = subprocess.check_output(["ctest", "--test-dir", self.build, "--show-only=json-v1"], text=True)
        suites = (test for test in json.loads(listed)["tests"] if test["name"].startswith("cpu/test_"))
        self.commands = {test["name"]: [*test["command"], "--abort-after=1"] for test in suites}

    def start(self, name):
        # A loop without end; processors are at times half as fast.
        limits = f'ulimit -c 0; ulimit -t {10 + 10 * self.seconds.get(name, 60):.0f}; ulimit -v {self.MEMORY}; exec "$@"'
        return subprocess.Popen(["sh", "-c", limits, "sh", *self.commands[name]], cwd=self.build, stdout=self.log,
                                stderr=subprocess.STDOUT, env={**os.environ, "GPARRAY_DEVICE": "cpu"})

    def first_failure(self, names):
        waiting, running = list(reversed(names)), {}
        try:
            while waiting or running:
                while waiting and len(running) < self.jobs:
                    name = waiting.pop()
                    running[name] = (time.monotonic(), self.start(name))
                time.sleep(0.005)
                for name, (start, process) in list(running.items()):
                    ended, status, used = os.wait4(process.pid, os.WNOHANG)
                    if ended:
                        del running[name]
                        process.returncode = os.waitstatus_to_exitcode(status)
                        self.seconds.setdefault(name, used.ru_utime + used.ru_stime)
                    if process.returncode not in (None, 0, 77) or time.monotonic() - start > self.SECONDS:
                        return name
        finally:
            for _, process in running.values():
                process.kill()
                process.wait()
        return ""

    def is_private(self, name):
        return "private_tests" in self.commands[name][0]

    def in_order(self, file):
        """Those named like the file first, and last those that take long; of these, --quick has only those named like it."""
        words = [word.rstrip("s") for word in file.stem.split("_") if len(word) > 2]
        like_it = {name: any(word in name for word in words) for name in self.commands}
        long = {name: seconds >= 4 for name, seconds in self.seconds.items()}
        return sorted((name for name in self.commands if not (self.quick and long[name]) or like_it[name]),
                      key=lambda name: (long[name], not like_it[name], self.is_private(name), self.seconds[name]))

    def others_fail(self):
        command = ["ctest", "--test-dir", self.build, "-L", "^cpu$", "-E", self.LEFT_OUT, "-j", str(self.jobs), "--stop-on-failure"]
        return subprocess.run(command, stdout=self.log, stderr=subprocess.STDOUT).returncode != 0


class Trial:
    def __init__(self, tree, build, jobs, log, quick):
        self.tree, self.build, self.jobs, self.log = tree, build, str(jobs), log
        self.tests = Tests(build, jobs, log, quick)

    def run(self, *command):
        return subprocess.run(command, cwd=self.tree, stdout=self.log, stderr=subprocess.STDOUT).returncode == 0

    def compiles(self, *targets):
        return self.run("cmake", "--build", self.build, "--parallel", self.jobs, "--target", *targets)

    def hash_of(self, name):
        return hashlib.sha256((pathlib.Path(self.build) / name).read_bytes()).hexdigest()

    def passes_unchanged(self):
        caches = [f"-DCMAKE_CXX_COMPILER_LAUNCHER={path}" for path in [shutil.which("ccache")] if path]
        # One source for several files: longer for one of them, shorter for what many include.
        configured = self.run(
            "cmake", "--preset", "release", "-B", self.build, "-G", "Ninja", "-DGPARRAY_WITH_CUDA=OFF", "-DGPARRAY_BUILD_EXAMPLES=OFF",
            "-DCMAKE_CXX_FLAGS_RELEASE=-O1", "-DGPARRAY_INSTALL=OFF", "-DGPARRAY_UNITY_BUILD=ON", "-DGPARRAY_QUICK_BUILD=ON", *caches)
        if not configured or not self.compiles("all"):
            return False
        tests = self.tests
        self.unchanged = self.hash_of("libgparray.so")
        tests.read()
        # What the same programs did the last time is known.
        known, key = pathlib.Path(self.build, "known.json"), [self.unchanged, *map(self.hash_of, PROGRAMS)]
        stored = json.loads(known.read_text()) if known.exists() else {}
        if stored.get("key") == key:
            tests.seconds = stored["seconds"]
            tests.commands = {name: command for name, command in tests.commands.items() if name in tests.seconds}
            return True
        while failed := tests.first_failure([name for name in tests.commands if name not in tests.seconds]):
            print(f"left out, for it fails without a change: {failed}", flush=True)
            del tests.commands[failed], tests.seconds[failed]
        if tests.others_fail():
            return False
        known.write_text(json.dumps({"key": key, "seconds": tests.seconds}))
        return True

    def verdict(self, file):
        """What happens to the tree as it is: the test that fails, "survived", or why it does not count."""
        if not self.compiles("gparray"):
            return "not compiled"
        if self.hash_of("libgparray.so") == self.unchanged:
            return "the same"
        # Programs that load the library are not linked again; the others are when one of their tests has its turn.
        for private, names in itertools.groupby(self.tests.in_order(file), self.tests.is_private):
            if private and not self.compiles("gparray_private_tests"):
                return "not compiled"
            failed = self.tests.first_failure(list(names))
            if failed:
                return failed
        if self.tests.quick:
            return "survived the quick"
        if not self.compiles("all"):
            return "not compiled"
        return "other tests" if self.tests.others_fail() else "survived"


def read_results(path):
    """Name of the change -> what became of it."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {name: verdict for verdict, name, *_ in (line.split("\t") for line in lines)}


def counts(verdict):
    return verdict not in ("not compiled", "the same")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="files whose path begins so")
    parser.add_argument("--repeat", default=[], nargs="+", help="FILE:LINE:COLUMN:RULE")
    parser.add_argument("--commit", default="HEAD", help="whose library and tests are tried")
    parser.add_argument("--resume", action="store_true", help="keep what --work/results.tsv says")
    parser.add_argument("--quick", action="store_true", help="without suites of more than a few seconds")
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
        ["git", "rev-parse", options.commit], cwd=root, text=True).strip()], cwd=tree, check=True)

    files = sorted(f for folder in FOLDERS for f in (tree / folder).rglob("*") if f.suffix in (".cpp", ".hpp"))
    files = [f for f in files if str(f.relative_to(tree)).startswith(options.only)]
    places = mutations.in_turns([(f, *place) for f in files for place in mutations.places_in(f.read_text())], random.Random(options.seed))
    # Headers last: they take minutes. What does not count is replaced by what is drawn next.
    drawn = list(itertools.islice(places, options.count))
    places = itertools.chain(sorted(drawn, key=lambda place: place[0].suffix == ".hpp"), places)
    results = work / "results.tsv"
    if options.repeat:
        parts = [text.split(":") for text in options.repeat]
        places = [(tree / name, int(line) - 1, int(column) - 1, rule) for name, line, column, rule in parts]
        results = work / "repeated.tsv"
    if not options.resume:
        results.unlink(missing_ok=True)
    found = {name: verdict for name, verdict in read_results(results).items()
             if options.quick or verdict != "survived the quick"}

    with open(work / "log.txt", "a") as log:
        trial = Trial(tree, str(work / "build"), options.jobs, log, options.quick)
        if not trial.passes_unchanged():
            sys.exit(f"the tests do not pass without a change: {work}/log.txt")
        for file, number, column, rule in places:
            if sum(map(counts, found.values())) >= options.count:
                break
            name = f"{file.relative_to(tree)}:{number + 1}:{column + 1}:{rule}"
            if name in found:
                continue
            original = file.read_text()
            start = time.monotonic()
            try:
                file.write_text(mutations.mutated(original, number, column, rule))
                found[name] = trial.verdict(file)
            finally:
                file.write_text(original)
            line = f"{found[name]}\t{name}\t{time.monotonic() - start:.0f} s\t{original.splitlines()[number].strip()}"
            print(line, flush=True)
            with open(results, "a") as text:
                print(line, file=text)
    survivors = [name for name, verdict in found.items() if verdict.startswith("survived")]
    total = sum(map(counts, found.values()))
    killed = total - len(survivors)
    print(f"{killed} of {total} killed ({100 * killed / max(total, 1):.0f} %). Survivors:", *survivors, sep="\n")


if __name__ == "__main__":
    main()
