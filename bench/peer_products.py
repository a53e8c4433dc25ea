"""Products that tensor cores are made for, as bench/product_cases.hpp has them: halves, their float32 sums, layers, TF32.

NumPy's names do not reach here, so each library says how it is asked.
"""
import contextlib


class Torch:
    def __init__(self, peer):
        import torch
        self.torch, self.half = torch, {"f16": torch.float16, "bf16": torch.bfloat16}
        self.compiles = peer.name == "torch.compile"

    def widened(self, a, b):
        return self.torch.mm(a, b, out_dtype=self.torch.float32)

    def linear(self, activation):
        torch = self.torch
        if not self.compiles:  # one call of cuBLASLt
            return lambda x, w, b: torch._addmm_activation(b, x, w, use_gelu=activation == "gelu")
        if activation == "relu":
            return lambda x, w, b: torch.relu(torch.addmm(b, x, w))
        return lambda x, w, b: torch.nn.functional.gelu(torch.addmm(b, x, w), approximate="tanh")

    @contextlib.contextmanager
    def tf32(self):
        self.torch.backends.cuda.matmul.allow_tf32 = True
        yield
        self.torch.backends.cuda.matmul.allow_tf32 = False

    def cast(self, a, tag):
        return a.to(self.half[tag])


class Jax:
    def __init__(self, peer):
        import jax
        import jax.numpy as jnp
        self.jax, self.jnp, self.half = jax, jnp, {"f16": jnp.float16, "bf16": jnp.bfloat16}

    def widened(self, a, b):
        return self.jnp.matmul(a, b, preferred_element_type=self.jnp.float32)

    def linear(self, activation):
        f = self.jax.nn.relu if activation == "relu" else self.jax.nn.gelu  # by default the form with tanh
        return lambda x, w, b: f(x @ w + b)

    @contextlib.contextmanager
    def tf32(self):
        with self.jax.default_matmul_precision("tensorfloat32"):
            yield

    def cast(self, a, tag):
        return a.astype(self.half[tag])


class Cupy:
    """Without bfloat16, float32 sums of halves and epilogues."""

    def __init__(self, peer):
        import cupy
        self.cupy, self.half = cupy, {"f16": cupy.float16}

    widened = None

    def linear(self, activation):
        cupy = self.cupy
        if activation == "relu":
            return lambda x, w, b: cupy.maximum(x @ w + b, 0)
        return lambda x, w, b: self.gelu(x @ w + b)

    def gelu(self, x):
        return 0.5 * x * (1 + self.cupy.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    def cast(self, a, tag):
        return a.astype(self.half[tag])


LIBRARIES = {"torch": Torch, "torch.compile": Torch, "jax": Jax, "cupy": Cupy}


def cases(peer):
    if peer.name not in LIBRARIES:
        return
    library = LIBRARIES[peer.name](peer)
    square = lambda n: peer.numbers((n, n), "float32")
    for n in (1024, 2048, 4096, 8192):
        for tag in library.half:
            halves = lambda count=2: [library.cast(square(n), tag) for _ in range(count)]
            row = lambda: library.cast(peer.numbers(n, "float32"), tag)
            yield f"matmul_{tag}_{n}", lambda: peer.call(lambda a, b: a @ b, *halves())
            if library.widened:
                yield f"matmul_{tag}_f32_{n}", lambda: peer.call(library.widened, *halves())
            for activation in ("relu", "gelu"):
                yield f"linear_{activation}_{tag}_{n}", lambda: peer.call(library.linear(activation), *halves(), row())
        yield f"matvec_f16_{n}", lambda: peer.call(lambda a, b: a @ b, library.cast(square(n), "f16"),
                                                   library.cast(peer.numbers((n, 1), "float32"), "f16"))
        layer = lambda: peer.call(library.linear("relu"), square(n), square(n), peer.numbers(n, "float32"))
        yield f"linear_relu_f32_{n}", layer
        if hasattr(library, "tf32"):
            yield f"matmul_tf32_{n}", lambda: within(library.tf32, peer.call(lambda a, b: a @ b, square(n), square(n)))
            yield f"linear_relu_tf32_{n}", lambda: within(library.tf32, layer())


def within(context, call):
    """The call in a context, which is entered each time: a microsecond on top."""
    def run():
        with context():
            call()
    return run
