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
import members  # noqa: E402
import missing  # noqa: E402
import pages  # noqa: E402
import results  # noqa: E402
import signatures  # noqa: E402
import texts  # noqa: E402


def entry(name="sort", text="A sorted copy.", parameters=("a", "axis")):
    one = declarations.Declaration("function", name, f"ndarray<V> {name}(const A& a, int axis)", text, list(parameters))
    return declarations.Entry(name, "sorting", "gparray/sorting.hpp", [one])


def made(*entries, **sections):
    return pages.Pages({e.name: e for e in entries}, {"sorting": texts.Module("Sorting", "", sections)})


class Signatures(unittest.TestCase):
    def test_internal_names_are_replaced(self):
        self.assertEqual(signatures.tidy("GPARRAY_API const detail::slice_end &"), "const int_or_none&")
        self.assertNotIn("detail", signatures.tidy("gparray::detail::element_t< A > &"))


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


class Results(unittest.TestCase):
    def test_result_of_a_body(self):
        self.assertEqual(results.of_body(["{", "return detail::typed<std::int64_t>(x);", "}"]), "ndarray<std::int64_t>")
        self.assertEqual(results.of_body(["using V = double;", "return ndarray<V>(x);"]), "ndarray<double>")
        self.assertEqual(results.of_body(["{ const ndarray<V> y = f(x);", "return y.reshape(shape); }"]), "ndarray<V>")
        self.assertEqual(results.of_body(["if (a) return f(x);", "return ndarray<V>(x);"]), "")
        self.assertEqual(results.of_body(["return detail::typed<V>(x).item();"]), "")

    def test_result_of_a_text(self):
        self.assertEqual(results.of_text("`ndarray<V>` of the shape of `a`."), "ndarray<V>")
        self.assertEqual(results.of_text("A `sort_result` of both."), "sort_result")
        self.assertEqual(results.of_text("`a.T()`, which shares."), "")
        self.assertEqual(results.named("template<class A>\nauto f(A a)", "ndarray<V>"), "template<class A>\nndarray<V> f(A a)")

    def test_a_page_names_the_result(self):
        one = entry()
        one.declarations[0].signature = "auto sort(const A& a, int axis)"
        made(one, sort=texts.Text({"returns": "`ndarray<W>`, sorted."}))
        self.assertEqual(one.declarations[0].result("sort"), "ndarray<W>")


class Members(unittest.TestCase):
    def member(self, name, text="", signature=""):
        return declarations.Declaration("function", name, signature or f"int {name}()", text)

    def kind(self, name, members, bases=()):
        one = declarations.Declaration("class", name, f"class {name}", "", members=members, bases=list(bases))
        return declarations.Entry(name, "array", "gparray/ndarray.hpp", [one])

    def test_texts_of_bases_and_of_conversions(self):
        base = self.kind("ndarray", [self.member("operator V", "The number.")])
        derived = self.kind("number", [self.member("operator V"), self.member("operator bool"), self.member("other")], ["ndarray<V>"])
        members.complete({"ndarray": base, "number": derived})
        self.assertEqual([m.text for m in derived.members], ["The number.", "The number.", ""])

    def test_methods_are_functions(self):
        row = {"name": "sum", "kind": "reduction", "doc": "The sum."}
        function = declarations.Entry("sum", "reductions", "gparray/reductions.hpp", [], row)
        array = self.kind("ndarray", [self.member("sum", "", "auto sum()"), self.member("sum", "", "auto sum(int axis)")])
        members.complete({"ndarray": array, "sum": function})
        self.assertEqual([m.signature for m in array.members], ["scalar_expr<R> sum()", "expr<R> sum(int axis)"])
        self.assertEqual(array.members[0].text, "The sum. See `gp::sum`.")


class Missing(unittest.TestCase):
    def kinds(self, one, **sections):
        return [kind for _, kind, _ in missing.find(made(one, **sections), {"sorting": [one]})]

    def test_what_is_missing(self):
        self.assertEqual(self.kinds(entry(text="")), ["texts", "examples", "parameters", "parameters", "returns", "costs"])

    def test_what_is_there_is_not_missing(self):
        text = texts.Text({"cpu": "", "gpu": "", "returns": ""}, {"a": "", "axis": ""}, [], [("gp::sort(a);", "")])
        self.assertEqual(self.kinds(entry(), sort=text), [])

    def test_plain_results_need_no_words(self):
        one = entry()
        one.declarations[0].signature = "std::int64_t sort(const A& a, int axis)"
        self.assertNotIn("returns", self.kinds(one))

    def test_an_example_calls_the_function_itself(self):
        text = texts.Text(examples=[("gp::argsort(a);", "")])
        self.assertFalse(text.shows("sort"))


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

    def test_subjects(self):
        page = HERE / "test_subjects.tmp"
        page.write_text("# Title\n\nWords.\n\n## a, b\n\n* waits: No.\n\n# One\n\n## b\n\n```cpp\n# if\n```\n\n```text\n```\n\n# Two\n\n## b, a\n")
        try:
            module = texts.read_module(page)
        finally:
            page.unlink()
        self.assertEqual((module.title, module.introduction, module.subjects), ("Title", "Words.", ["One", "Two"]))
        self.assertEqual([module.texts[n].place[0] for n in "ab"], [1, 0])

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
