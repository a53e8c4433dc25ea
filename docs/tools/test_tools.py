"""Tests of the manual's generator, which scripts/docs runs first: python3 docs/tools/test_tools.py."""
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True

import declarations  # noqa: E402
import forms  # noqa: E402
import make_reference  # noqa: E402
import manuals  # noqa: E402
import missing  # noqa: E402
import pages  # noqa: E402
import signatures  # noqa: E402
import texts  # noqa: E402


def entry(name="sort", text="A sorted copy.", parameters=("a", "axis")):
    one = declarations.Declaration("function", name, f"ndarray<V> {name}(const A& a, int axis)", text, list(parameters))
    return declarations.Entry(name, "sorting", "gparray/sorting.hpp", [one])


def made(*entries, **sections):
    return pages.Pages({e.name: e for e in entries}, {"sorting": ("Sorting", "", sections)})


class Signatures(unittest.TestCase):
    def test_internal_names_are_replaced(self):
        self.assertEqual(signatures.tidy("GPARRAY_API const detail::slice_end &"), "const int_or_none&")
        self.assertNotIn("detail", signatures.tidy("gparray::detail::element_t< A > &"))

    def test_result_of_a_body(self):
        self.assertEqual(signatures.result_of_body(["{", "return detail::typed<std::int64_t>(x);", "}"]),
                         "ndarray<std::int64_t>")
        self.assertEqual(signatures.result_of_body(["using V = double;", "return ndarray<V>(x);"]), "ndarray<double>")
        self.assertEqual(signatures.result_of_body(["if (a) return f(x);", "return ndarray<V>(x);"]), "")
        self.assertEqual(signatures.result_of_body(["return detail::typed<V>(x).item();"]), "")


class Comments(unittest.TestCase):
    def test_filter(self):
        header = HERE / "test_filter.tmp"
        header.write_text("/// ndarray<float> @ 50%\n///   a = b;\nint f();  ///< less\n")
        try:
            text = subprocess.run([HERE / "comments", header], capture_output=True, text=True, check=True).stdout
        finally:
            header.unlink()
        self.assertEqual(text, "/// ndarray\\<float\\> \\@ 50\\%\n/// \u2060a = b;\u2060\nint f();  ///< less\n")

    def test_code_stays_code(self):
        self.assertEqual(pages.escaped("a*b of `x_*[i]`"), "a\\*b of `x_*[i]`")


class Missing(unittest.TestCase):
    def test_counts(self):
        found = missing.find(made(entry(text="")), {"sorting": [entry(text="")]})["sorting"]
        self.assertEqual({c: len(n) for c, n in found.items()},
                         {"texts": 1, "members": 0, "examples": 1, "parameters": 2, "costs": 1})

    def test_what_is_there_is_not_missing(self):
        text = texts.Text({"cpu": "", "gpu": ""}, {"a": "", "axis": ""}, [], [("gp::sort(a);", "")])
        found = missing.find(made(entry(), sort=text), {"sorting": [entry()]})["sorting"]
        self.assertEqual([n for names in found.values() for n in names], [])

    def test_an_example_calls_the_function_itself(self):
        text = texts.Text(examples=[("gp::argsort(a);", "")])
        self.assertFalse(text.shows("sort"))

    def test_counts_may_only_fall(self):
        before = {"sorting": [1, 0, 0, 0, 0]}
        self.assertEqual(list(missing.check({"sorting": [1, 0, 0, 0, 0]}, before)), [])
        self.assertIn("may only fall", next(missing.check({"sorting": [2, 0, 0, 0, 0]}, before)))
        self.assertIn("--write", next(missing.check({"sorting": [0, 0, 0, 0, 0]}, before)))
        self.assertIn("may only fall", next(missing.check({"new": [0, 1, 0, 0, 0]}, {})))


class Names(unittest.TestCase):
    def wrong(self, **sections):
        one = made(entry(), **sections)
        return list(make_reference.wrong_names(one, one.entries, one.modules))

    def test_wrong_names_are_errors(self):
        self.assertEqual(self.wrong(sort=texts.Text(parameters={"axis": "", "a": ""})), [])
        self.assertEqual(len(self.wrong(sort=texts.Text(parameters={"axes": ""}))), 1)
        self.assertEqual(len(self.wrong(srot=texts.Text())), 1)

    def test_wrong_forms_are_errors(self):
        for wrong in ("* speed: high", "* `a`: x\n* `a`: y", "```cpp\nf();\n```", "```text\n1\n```"):
            texts.PROBLEMS.clear()
            texts.add_section(texts.Text(), wrong.splitlines(), "sorting.md: sort")
            self.assertEqual(len(texts.PROBLEMS), 1, wrong)
        texts.PROBLEMS.clear()

    def test_a_lead_stays_with_its_example(self):
        text = texts.Text()
        texts.add_section(text, "Said of all.\n\nAs here:\n\n```cpp\nf();\n```\n\n```text\n```".splitlines(), "")
        self.assertEqual((text.paragraphs, text.leads), (["Said of all."], {0: "As here:"}))

    def test_links(self):
        both = made(entry(), entry("argsort"))
        self.assertIn("(../sorting/argsort.md)", both.linked(both.entries["sort"], "See `argsort()`."))
        self.assertIn("(../sorting/argsort.md)", both.linked(both.entries["sort"], "argsort", every=True))
        self.assertEqual(both.linked(both.entries["sort"], "`argsort`", every=True), "[`argsort`](../sorting/argsort.md)")
        self.assertEqual(both.linked(both.entries["sort"], "`axis`"), "`axis`")
        self.assertEqual([t for t, _ in manuals.links("linalg.lu")], ["SciPy", "CuPy"])


class Forms(unittest.TestCase):
    def test_distribution(self):
        row = {"name": "normal", "kind": "distribution", "result": "real", "parameters": ["(loc, any, = 0)", "()", "()"]}
        self.assertIn("normal(number_or_array loc = 0, size_type size = {})", forms.of(row)[0][0])


if __name__ == "__main__":
    unittest.main()
