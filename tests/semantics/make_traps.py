#!/usr/bin/env python3
"""Turns the list of NumPy's semantic traps (a Markdown file with one JSON object a line) into traps.tsv.

usage: make_traps.py numpy-traps.md
Columns: id, kind (array, error, shape, tuple), dtype, shape (comma separated), value or error name, match, NumPy code.
"""
import json
import pathlib
import sys

rows = []


def add(case, suffix, expect):
    if "error" in expect:
        kind, dtype, shape, value = "error", "", "", expect["error"]
    elif "shape_or_ints" in expect:
        kind, dtype, shape, value = "shape", "", "", ",".join(map(str, expect["shape_or_ints"]))
    elif "dtype_result" in expect:
        kind, dtype, shape, value = "dtype", expect["dtype_result"], "", ""
    elif "tuple" in expect:
        for i, part in enumerate(expect["tuple"]):
            add(case, f"{suffix}/{i}", part)
        return
    else:
        kind, dtype = "array", expect["dtype"]
        shape, value = ",".join(map(str, expect.get("shape", []))), expect["value"]
    rows.append("\t".join([case["id"] + suffix, kind, dtype, shape, value, case["match"], case["py"]]))


for line in open(sys.argv[1], encoding="utf-8"):
    if line.startswith("{"):
        case = json.loads(line)
        add(case, "", case["expect"])
pathlib.Path(__file__).with_name("traps.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
