"""How NumPy and SciPy are timed: as function_suite.hpp does it."""
import argparse
import json
import time

import numpy as np


def asks_for(only, name):
    return any(part in name for part in only.split(","))


class Suite:
    def __init__(self, only, size):
        self.only, self.size = only, size

    def add(self, what, call):
        name = f"{what}_{self.size}"
        if not asks_for(self.only, name):
            return
        call()
        start = time.perf_counter()
        call()
        once = time.perf_counter() - start
        # Short calls are timed in batches that the clock can see.
        batch = max(1, int(2e-4 / max(once, 1e-8)))
        rounds = min(max(int(0.4 / (once * batch)), 3), 100)
        wall = processor = 1e9
        for _ in range(rounds):
            processor_start, start = time.process_time(), time.perf_counter()
            for _ in range(batch):
                call()
            wall = min(wall, (time.perf_counter() - start) / batch)
            processor = min(processor, (time.process_time() - processor_start) / batch)
        print(json.dumps({"peer": "numpy", "case": name, "us": round(wall * 1e6, 3), "cpu_us": round(processor * 1e6, 3)}),
              flush=True)


def numbers(n, dtype="float64"):
    return (0.6180339887498949 * np.arange(n) % 1.0).astype(dtype)


def wanted(doc):
    """What is asked for by the command line: cases whose name contains one of these."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="run the cases whose name contains one of these, separated by commas")
    return parser.parse_args().only
