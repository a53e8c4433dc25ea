#!/usr/bin/env python3
"""Writes stored.npz and compressed.npz, which test_files.cpp reads."""
import pathlib

import numpy as np

folder = pathlib.Path(__file__).resolve().parent
arrays = {"squares": np.arange(2000) ** 2, "ones": np.ones((30, 40), "f4"), "flags": np.array([True, False, True])}
np.savez(folder / "stored.npz", **arrays)
np.savez_compressed(folder / "compressed.npz", **arrays)
