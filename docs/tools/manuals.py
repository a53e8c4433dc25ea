"""Links to the pages of NumPy, SciPy and CuPy for the functions that they have too."""
import pathlib

HERE = pathlib.Path(__file__).parent
MANUALS = {
    "numpy": ("NumPy", "https://numpy.org/doc/stable/reference/generated/numpy.{}.html"),
    "scipy": ("SciPy", "https://docs.scipy.org/doc/scipy/reference/generated/scipy.{}.html"),
    "cupy": ("CuPy", "https://docs.cupy.dev/en/stable/reference/generated/cupy.{}.html"),
    "cupyx": ("CuPy", "https://docs.cupy.dev/en/stable/reference/generated/cupyx.{}.html"),
}
KNOWN = {manual: set((HERE / "pages" / f"{manual}.txt").read_text().split()) for manual in MANUALS}


def links(name):
    """[(title, address)]: CuPy keeps what SciPy has in cupyx.scipy, and special functions have no scope of their own here."""
    numpys = {"numpy": [name], "cupy": [name, name.replace("random.Generator", "random")]}
    scipys = {"scipy": [name, "special." + name],
              "cupyx": ["scipy." + name, "scipy.special." + name, name]}
    is_numpys = name in KNOWN["numpy"]
    wanted = numpys if is_numpys else numpys | scipys
    if is_numpys and name.split(".")[0] in ("linalg", "fft"):
        wanted = wanted | {"scipy": [name]}
    found = {}
    for manual in MANUALS:
        for spelled in wanted.get(manual, []):
            title, address = MANUALS[manual]
            if spelled in KNOWN[manual]:
                found.setdefault(title, address.format(spelled))
    return list(found.items())


def line(name):
    found = [f"[{title}]({address})" for title, address in links(name)]
    return "The same in " + " · ".join(found) + "\n" if found else ""
