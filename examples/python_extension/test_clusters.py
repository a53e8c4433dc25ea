"""clusters against NumPy: with NumPy's arrays, and with CuPy's and PyTorch's on a GPU. python3 test_clusters.py, or pytest."""
import sys

import numpy as np

import clusters

GENERATOR = np.random.default_rng(1)
POINTS, CENTRES = GENERATOR.normal(size=(1000, 3)), GENERATOR.normal(size=(5, 3))
DISTANCES = ((POINTS[:, None] - CENTRES) ** 2).sum(-1)


def check(array, to_numpy):
    for dtype, tolerance in ("float64", 1e-14), ("float32", 1e-5):
        points, centres = array(POINTS.astype(dtype)), array(CENTRES.astype(dtype))
        d = clusters.distances(points, centres)
        assert type(d) is type(points) and to_numpy(d).dtype == dtype
        np.testing.assert_allclose(to_numpy(d), DISTANCES, rtol=tolerance, atol=tolerance)
        np.testing.assert_array_equal(to_numpy(clusters.nearest(points, centres)), to_numpy(d).argmin(-1))
        assert clusters.standardize(points) is None  # in place
        np.testing.assert_allclose(to_numpy(points), (POINTS - POINTS.mean(0)) / POINTS.std(0), rtol=0, atol=10 * tolerance)
    for wrong, error in ((POINTS, CENTRES[:, :2]), ValueError), ((POINTS, "centres"), TypeError):
        try:
            clusters.distances(array(wrong[0]), wrong[1] if isinstance(wrong[1], str) else array(wrong[1]))
        except error:
            continue
        raise AssertionError(f"no {error.__name__}")


def test_numpy():
    check(np.array, np.asarray)
    frozen = np.ones((4, 2))
    frozen.flags.writeable = False
    try:
        clusters.standardize(frozen)
        raise AssertionError("what is read-only was written to")
    except ValueError as error:
        assert "read-only" in str(error)


def skip(reason):
    if "pytest" in sys.modules:
        sys.modules["pytest"].skip(reason)
    print("skipped:", reason)
    return "skipped"


def test_cupy_on_gpu():
    try:
        import cupy
    except ImportError as error:
        return skip(str(error))
    check(cupy.array, cupy.asnumpy)


def test_torch_on_gpu():
    try:
        import torch
    except ImportError as error:
        return skip(str(error))
    if not torch.cuda.is_available():
        return skip("PyTorch sees no GPU")
    check(lambda a: torch.tensor(a, device="cuda"), lambda t: t.cpu().numpy())
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        check(lambda a: torch.tensor(a, device="cuda"), lambda t: t.cpu().numpy())


if __name__ == "__main__":
    for test in (test_numpy, test_cupy_on_gpu, test_torch_on_gpu):
        print(test.__name__, test() or "passed")
