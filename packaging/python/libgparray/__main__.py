"""python -m libgparray --cmake-dir: prints where the library's files are."""

import argparse

import libgparray

parser = argparse.ArgumentParser(prog="python -m libgparray", description="Where gparray's headers and library are.")
answers = parser.add_mutually_exclusive_group(required=True)
for answer in (
    libgparray.cmake_dir,
    libgparray.include_dir,
    libgparray.library_dir,
    libgparray.pkg_config_dir,
    libgparray.prefix,
    libgparray.version,
):
    name = "--" + answer.__name__.replace("_", "-")
    answers.add_argument(name, dest="answer", action="store_const", const=answer, help=answer.__doc__)
print(parser.parse_args().answer())
