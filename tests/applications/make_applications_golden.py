#!/usr/bin/env python3
"""Writes applications.txt: checksums of the programs of bench/applications on small arrays by NumPy 2 and SciPy.

One application a line: its name, a tab, and for each of its results the fields of bench/applications/checksum.hpp with commas
between them; results are separated by "|".
"""
import pathlib
import sys

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "bench"))
from peer_applications import as_tuple, case_named, inputs_of  # noqa: E402
from applications.inputs import checksum, rows  # noqa: E402

lines = []
for name, sizes in rows().items():
    case = case_named(name)
    results = as_tuple(case.run(np, *inputs_of(case, sizes["tiny"])))
    lines.append(name + "\t" + "|".join(",".join(map(repr, checksum(r))) for r in results) + "\n")
(HERE / "applications.txt").write_text("".join(lines))
