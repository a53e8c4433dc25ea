"""What other libraries' distributed programs take on several GPUs of one host, beside bench_distributed, heat_distributed and train_mlp.

    RANK=0 WORLD_SIZE=2 ... bench/peer_distributed.py torch    # a process a GPU: tests/distributed/ranks/start_alone 2 python3 bench/...
    bench/peer_distributed.py jax                              # one process, with one GPU and with all

PyTorch: all_reduce of float32 by NCCL, and a step of a network under DistributedDataParallel, of which each rank has a part of the batch.
JAX: a step of heat in a plate that is sharded by rows, all_reduce, and the same network, by jit and shardings. Microseconds of one call.
"""
import argparse
import functools
import os
import time

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("library", choices=["torch", "jax"])
parser.add_argument("--points", type=int, default=131072, help="of the batch")
parser.add_argument("--hidden", type=int, default=4096, help="neurons of the hidden layer")
parser.add_argument("--size", type=int, default=8192, help="grid points along each side of the plate")
parser.add_argument("--largest", type=float, default=2**30, help="bytes to add up")
parser.add_argument("--device", default="cuda", help="cpu, to try it")
arguments = parser.parse_args()
sizes = [n for n in (8, 2**10, 2**16, 2**20, 2**25, 2**28, 2**30) if n <= arguments.largest]


def timed(turns, call, wait):
    for _ in range(3):
        call()
    wait()
    start = time.perf_counter()
    for _ in range(turns):
        call()
    wait()
    return (time.perf_counter() - start) / turns * 1e6


def run_torch():
    import torch
    import torch.distributed as dist

    rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    on_gpu = arguments.device == "cuda"
    if on_gpu:
        torch.cuda.set_device(rank)
    device = torch.device("cuda", rank) if on_gpu else torch.device("cpu")
    meeting = os.environ["GPARRAY_RENDEZVOUS"] + ".torch"
    dist.init_process_group("nccl" if on_gpu else "gloo", init_method="file://" + meeting, rank=rank, world_size=ranks)
    wait = torch.cuda.synchronize if on_gpu else lambda: None

    def say(*what):
        if rank == 0:
            print(*what, flush=True)

    say(f"PyTorch {torch.__version__}, {ranks} ranks, {torch.cuda.get_device_name() if on_gpu else 'cpu'}")
    for n in sizes if ranks > 1 else []:
        x = torch.ones(n // 4, dtype=torch.float32, device=device)
        dist.barrier()
        say(f"{n:12d} torch all_reduce {timed(20 if n > 2**25 else 200, lambda: dist.all_reduce(x), wait):10.2f} us")

    torch.manual_seed(2)
    x = torch.rand(arguments.points, 2) * 3 - 1.5
    y = ((x.square().sum(1, keepdim=True).sqrt() - 0.9).abs() < 0.3).float()
    mine = slice(arguments.points * rank // ranks, arguments.points * (rank + 1) // ranks)
    x, y = x[mine].to(device), y[mine].to(device)
    model = torch.nn.Sequential(torch.nn.Linear(2, arguments.hidden), torch.nn.Tanh(), torch.nn.Linear(arguments.hidden, 1)).to(device)
    if ranks > 1:
        model = torch.nn.parallel.DistributedDataParallel(model, device_ids=[rank] if on_gpu else None)
    optimizer = torch.optim.SGD(model.parameters(), lr=3.0)
    cost = torch.nn.BCEWithLogitsLoss()

    def step():
        optimizer.zero_grad(set_to_none=True)
        loss = cost(model(x), y)
        loss.backward()
        optimizer.step()
        return loss.item()

    say(f"torch MLP {arguments.points} x {arguments.hidden}: {timed(30, step, wait):.1f} us a step on {ranks} ranks")
    dist.barrier()
    dist.destroy_process_group()


def run_jax():
    import jax

    jax.config.update("jax_enable_x64", True)
    import jax.numpy as jnp
    import numpy as np
    from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

    devices = jax.devices()
    print(f"JAX {jax.__version__}, {len(devices)} of {devices[0].device_kind}", flush=True)
    shard_map = getattr(jax, "shard_map", None)
    if shard_map is None:
        from jax.experimental.shard_map import shard_map
    for count in sorted({1, len(devices)}):
        mesh = Mesh(np.array(devices[:count]), ("i",))
        rows, everywhere = NamedSharding(mesh, P("i")), NamedSharding(mesh, P())
        n, turns = arguments.size, 50

        # Each device has its rows; what lies beside them comes from its neighbours.
        @functools.partial(jax.jit, donate_argnums=0)
        @functools.partial(shard_map, mesh=mesh, in_specs=(P("i"), P("i")), out_specs=P("i"))
        def by_hand(p, f):
            rank = jax.lax.axis_index("i")
            first = rank * p.shape[0]

            def step(_, p):
                if count > 1:
                    above = jax.lax.ppermute(p[-1:], "i", [(k, k + 1) for k in range(count - 1)])
                    below = jax.lax.ppermute(p[:1], "i", [(k + 1, k) for k in range(count - 1)])
                else:
                    above = below = jnp.zeros_like(p[:1])
                up, down = jnp.concatenate([above, p[:-1]]), jnp.concatenate([p[1:], below])
                new = 0.25 * (up[:, 1:-1] + down[:, 1:-1] + p[:, :-2] + p[:, 2:] + 1e-6 * f[:, 1:-1])
                row = first + jnp.arange(p.shape[0])[:, None]
                return p.at[:, 1:-1].set(jnp.where((row > 0) & (row < n - 1), new, p[:, 1:-1]))

            return jax.lax.fori_loop(0, turns, step, p)

        # The text of one device; XLA finds what has to move.
        @functools.partial(jax.jit, donate_argnums=0, in_shardings=(rows, rows), out_shardings=rows)
        def by_xla(p, f):
            def step(_, p):
                new = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + 1e-6 * f[1:-1, 1:-1])
                return p.at[1:-1, 1:-1].set(new)

            return jax.lax.fori_loop(0, turns, step, p)

        for name, program in (("shard_map", by_hand), ("jit", by_xla)):
            state = [jax.device_put(jnp.zeros((n, n)), rows)]
            f = jax.device_put(jnp.zeros((n, n)).at[n // 2, n // 2].set(1e4), rows)

            def call():
                state[0] = program(state[0], f)

            took = timed(4, call, lambda: state[0].block_until_ready()) / turns
            print(f"jax heat {n} by {name}: {took:.1f} us a step on {count}", flush=True)
            del f, state

        if count > 1:
            for size in sizes:
                add = jax.jit(shard_map(lambda x: jax.lax.psum(x, "i"), mesh=mesh, in_specs=P("i"), out_specs=P()))
                x = jax.device_put(jnp.ones(size // 4 * count, dtype=jnp.float32), rows)
                result = [None]

                def call():
                    result[0] = add(x)

                print(f"{size:12d} jax psum {timed(20, call, lambda: result[0].block_until_ready()):10.2f} us", flush=True)
                del x, result

        key = jax.random.PRNGKey(2)
        x = jax.random.uniform(key, (arguments.points, 2), jnp.float32, -1.5, 1.5)
        y = (jnp.abs(jnp.sqrt(jnp.sum(x * x, 1, keepdims=True)) - 0.9) < 0.3).astype(jnp.float32)
        x, y = jax.device_put(x, rows), jax.device_put(y, rows)
        weights = [jax.random.normal(key, (2, arguments.hidden), jnp.float32) * 2, jnp.zeros(arguments.hidden, jnp.float32),
                   jax.random.normal(key, (arguments.hidden, 1), jnp.float32) * 0.3, jnp.zeros(1, jnp.float32)]
        weights = [jax.device_put(w, everywhere) for w in weights]

        def loss(w, x, y):
            z = jnp.tanh(x @ w[0] + w[1]) @ w[2] + w[3]
            return jnp.mean(jnp.logaddexp(jnp.zeros_like(z), z) - y * z)

        @jax.jit
        def train(w, x, y):
            value, gradients = jax.value_and_grad(loss)(w, x, y)
            return [a - jnp.float32(3) * g for a, g in zip(w, gradients)], value

        state = [weights]

        def step():
            state[0], value = train(state[0], x, y)
            return float(value)

        took = timed(30, step, lambda: None)
        print(f"jax MLP {arguments.points} x {arguments.hidden}: {took:.1f} us a step on {count}", flush=True)


run_torch() if arguments.library == "torch" else run_jax()
