#!/usr/bin/env python3
"""Times NumPy, CuPy, PyTorch and JAX on the programs of applications/, under the same names as bench_applications.

Prints one JSON object a line, like bench_applications:
  us        median microseconds of a call, calls queued back to back and one synchronisation at the end
  us_sync   median microseconds of a call that is followed by a synchronisation
  first_us  microseconds of the first call, in which a compiler compiles
  checks    sums over the elements of each result of the first call
A case that a peer cannot run is printed with its error.
"""
import argparse
import json
import sys
import time

import numpy as np

from applications import finance, image, learning, physics, statistics
from applications.inputs import Inputs, checksum, rows
from peer_suite import asks_for
from peers import PEERS, clock

MODULES = learning, image, statistics, finance, physics


def programs(case, peer):
    """What a peer runs: a program of its own, or the one in NumPy's names. Of several the fastest counts."""
    kinds = {"torch": ("torch",), "torch.compile": ("torch_compile", "torch"), "jax": ("jax",)}
    for kind in (*kinds.get(peer.name, ()), "run"):
        if hasattr(case, kind):
            found = getattr(case, kind)
            return found if isinstance(found, list) else [found]


def case_named(name):
    return next(getattr(module, name) for module in MODULES if hasattr(module, name))


def inputs_of(case, sizes):
    return [np.array(a) for a in case.inputs(Inputs(), *sizes)]


def as_tuple(results):
    return results if isinstance(results, tuple) else (results,)


def on_host(result, peer):
    if peer.name == "cupy":
        return peer.xp.asnumpy(result)
    return result.cpu().numpy() if peer.name.startswith("torch") else np.asarray(result)


def measure(case, program, peer, sizes, seconds):
    xp = sys.modules[peer.xp.__name__]
    arrays = [peer.asarray(a) for a in inputs_of(case, sizes)]
    call = peer.call(lambda *arrays: program(xp, *arrays), *arrays)
    peer.synchronize()
    start = time.perf_counter()
    results = call()
    peer.synchronize()
    first = time.perf_counter() - start
    line = {"first_us": round(first * 1e6, 3), "checks": [checksum(on_host(r, peer)) for r in as_tuple(results)]}
    del results
    if seconds:
        us, us_sync = clock(call, peer.synchronize, seconds)
        line.update(us=round(us, 3), us_sync=round(us_sync, 3))
    return line


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="numpy", choices=PEERS, help="which library (default: numpy)")
    parser.add_argument("--only", default="", help="run the cases whose name contains one of these, separated by commas")
    parser.add_argument("--size", default="small", choices=("large", "small", "tiny"), help="of the arrays (default: small)")
    parser.add_argument("--quick", action="store_true", help="time each case for a shorter time")
    parser.add_argument("--untimed", action="store_true", help="run each case once")
    arguments = parser.parse_args()
    peer = PEERS[arguments.peers]()
    seconds = 0 if arguments.untimed else 0.05 if arguments.quick else 0.25
    for name, sizes in rows().items():
        if not asks_for(arguments.only, name):
            continue
        case = case_named(name)
        line = {"peer": peer.name, "case": name}
        try:
            measured = [measure(case, p, peer, sizes[arguments.size], seconds) for p in programs(case, peer)]
            line.update(min(measured, key=lambda m: m.get("us", 0)))
        except Exception as error:
            line["error"] = f"{type(error).__name__}: {error}"[:300].replace("\n", " ")
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
