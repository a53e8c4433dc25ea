"""Physics and mathematics: physics.cpp for other libraries, as learning.py describes."""


def loop(steps, body, state):
    """Of JAX: a loop that it compiles once."""
    from jax import lax
    return lax.fori_loop(0, steps, lambda _, state: body(*state), state)


class n_body:
    def inputs(of, n):
        return of.numbers((n, 3), -1, 1), of.numbers(n, 0.5, 1.5)

    def run(np, x, mass):
        d = x - x[:, None]
        squared = np.sum(np.square(d), axis=2) + 0.01
        pull = mass / (squared * np.sqrt(squared))
        return np.sum(pull[..., None] * d, axis=1)


class cross_product:
    def inputs(of, n):
        return of.numbers((n, 3), -1, 1), of.numbers((n, 3), -1, 1)

    def run(np, u, v):
        return np.cross(u, v)

    def torch(torch, u, v):
        return torch.linalg.cross(u, v)


class wave_equation:
    def inputs(of, n):
        first = of.numbers((n, n), -1, 1)
        return first, first.copy()

    def run(np, before, now):
        for _ in range(4):
            laplacian = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
            before[1:-1, 1:-1] = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.25 * laplacian
            before, now = now, before
        return before, now

    def jax(np, before, now):
        for _ in range(4):
            laplacian = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
            inner = 2 * now[1:-1, 1:-1] - before[1:-1, 1:-1] + 0.25 * laplacian
            before, now = now, before.at[1:-1, 1:-1].set(inner)
        return before, now


class game_of_life:
    NEAR = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]

    def inputs(of, n):
        return of.numbers((n, n), 0, 2, "uint8"),

    def run(np, world):
        for _ in range(10):
            neighbours = np.zeros_like(world)
            for near in game_of_life.NEAR:
                neighbours += np.roll(world, near, (0, 1))
            world = ((neighbours == 3) | ((neighbours == 2) & (world == 1))).astype(np.uint8)
        return world

    def torch(torch, world):
        for _ in range(10):
            neighbours = torch.zeros_like(world)
            for near in game_of_life.NEAR:
                neighbours += torch.roll(world, near, (0, 1))
            world = ((neighbours == 3) | ((neighbours == 2) & (world == 1))).to(torch.uint8)
        return world

    def jax(np, world):
        def step(world):
            neighbours = sum(np.roll(world, near, (0, 1)) for near in game_of_life.NEAR)
            return ((neighbours == 3) | ((neighbours == 2) & (world == 1))).astype(np.uint8),

        return loop(10, step, (world,))[0]


class ising_sweep:
    def inputs(of, n):
        import numpy
        start = (numpy.ceil(of.numbers((n, n), -1, 3)) > 0).astype("int8") * numpy.int8(2) - numpy.int8(1)
        place = numpy.arange(n)
        return start, of.numbers((2, n, n)), (place[:, None] + place) % 2 == 1

    def run(np, spins, chance, white):
        for colour in (0, 1):
            neighbours = np.roll(spins, 1, 0) + np.roll(spins, -1, 0) + np.roll(spins, 1, 1) + np.roll(spins, -1, 1)
            cost = (2 * spins * neighbours).astype(np.float32)
            flips = (chance[colour] < np.exp(-0.4 * cost)) & (white == (colour == 1))
            spins = np.where(flips, -spins, spins)
        pairs = spins * (np.roll(spins, 1, 0) + np.roll(spins, 1, 1))
        energy = -np.mean(pairs, dtype=np.float64)
        magnetization = np.mean(spins, dtype=np.float64)
        return spins, energy, magnetization

    def torch(torch, spins, chance, white):
        for colour in (0, 1):
            neighbours = (torch.roll(spins, 1, 0) + torch.roll(spins, -1, 0) + torch.roll(spins, 1, 1)
                          + torch.roll(spins, -1, 1))
            cost = (2 * spins * neighbours).float()
            flips = (chance[colour] < torch.exp(-0.4 * cost)) & (white == (colour == 1))
            spins = torch.where(flips, -spins, spins)
        pairs = spins * (torch.roll(spins, 1, 0) + torch.roll(spins, 1, 1))
        energy = -torch.mean(pairs, dtype=torch.float64)
        magnetization = torch.mean(spins, dtype=torch.float64)
        return spins, energy, magnetization


class oscillators:
    STEP = 0.05

    def inputs(of, n):
        return of.numbers(n, -1, 1, "float64"), of.numbers(n, -1, 1, "float64"), of.numbers(n, 0.5, 2, "float64")

    def energy(x, v, k):
        return 0.5 * v * v + 0.5 * k * x * x + 0.25 * x * x * x * x

    def run(np, x, v, k):
        dt = oscillators.STEP
        for _ in range(20):
            v -= 0.5 * dt * (k * x + x * x * x)
            x += dt * v
            v -= 0.5 * dt * (k * x + x * x * x)
        return x, v, oscillators.energy(x, v, k)

    def unrolled(np, x, v, k):
        dt = oscillators.STEP
        for _ in range(20):
            v = v - 0.5 * dt * (k * x + x * x * x)
            x = x + dt * v
            v = v - 0.5 * dt * (k * x + x * x * x)
        return x, v, oscillators.energy(x, v, k)

    def looped(np, x, v, k):
        dt = oscillators.STEP

        def step(x, v):
            v = v - 0.5 * dt * (k * x + x * x * x)
            x = x + dt * v
            return x, v - 0.5 * dt * (k * x + x * x * x)

        x, v = loop(20, step, (x, v))
        return x, v, oscillators.energy(x, v, k)

    jax = [unrolled, looped]


class mandelbrot:
    def inputs(of, n):
        import numpy
        c = (numpy.arange(n) * (2.5 / n)).astype("float32")
        return c - numpy.float32(2), (c - numpy.float32(1.25))[:, None]

    def run(np, cx, cy):
        x = np.zeros_like(cx + cy)
        y = np.zeros_like(x)
        count = np.zeros_like(x, dtype=np.int32)
        for _ in range(50):
            x2, y2 = x * x, y * y
            inside = x2 + y2 <= 4
            count += inside
            y = np.where(inside, 2 * x * y + cy, y)
            x = np.where(inside, x2 - y2 + cx, x)
        return count

    def looped(np, cx, cy):
        def step(x, y, count):
            x2, y2 = x * x, y * y
            inside = x2 + y2 <= 4
            return np.where(inside, x2 - y2 + cx, x), np.where(inside, 2 * x * y + cy, y), count + inside

        zeros = np.zeros_like(cx + cy)
        return loop(50, step, (zeros, zeros, np.zeros_like(zeros, dtype=np.int32)))[2]

    jax = [run, looped]
