"""Machine learning: learning.cpp for other libraries. Each class is an application:

inputs  makes its arrays, of the sizes in applications.def
run     is the program in NumPy's names, for NumPy, CuPy, and all that have no program of their own
torch, torch_compile, jax  are what users of these would write
"""
import math


class softmax:
    def inputs(of, rows, columns):
        return of.numbers((rows, columns), -4, 4),

    def run(np, x):
        largest = np.max(x, axis=1, keepdims=True)
        e = np.exp(x - largest)
        total = np.sum(e, axis=1, keepdims=True)
        return e / total

    def torch(torch, x):
        return torch.softmax(x, dim=1)


class layer_norm:
    def inputs(of, rows, columns):
        return of.numbers((rows, columns), -4, 4), of.numbers(columns, 0.5, 1.5), of.numbers(columns, -1, 1)

    def run(np, x, gain, bias):
        mean = np.mean(x, axis=-1, keepdims=True)
        variance = np.var(x, axis=-1, keepdims=True)
        normalized = (x - mean) / np.sqrt(variance + 1e-5)
        return gain * normalized + bias

    def torch(torch, x, gain, bias):
        return torch.nn.functional.layer_norm(x, x.shape[1:], gain, bias, 1e-5)


class gelu:
    def inputs(of, rows, columns):
        return of.numbers((rows, columns), -4, 4), of.numbers(columns, -1, 1)

    def run(np, x, bias):
        y = x + bias
        inner = math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)
        return 0.5 * y * (1 + np.tanh(inner))

    def torch(torch, x, bias):
        return torch.nn.functional.gelu(x + bias, approximate="tanh")


class attention:
    def inputs(of, *shape):
        return of.numbers(shape, -2, 2), of.numbers(shape, -2, 2), of.numbers(shape, -1, 1)

    def run(np, q, k, v):
        scores = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[2])
        largest = np.max(scores, axis=-1, keepdims=True)
        e = np.exp(scores - largest)
        weights = e / np.sum(e, axis=-1, keepdims=True)
        return weights @ v

    def torch(torch, q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)


class adam_step:
    RATE, BETA1, BETA2, T = 1e-3, 0.9, 0.999, 10

    def inputs(of, n):
        return of.numbers(n, -1, 1), of.numbers(n, -0.1, 0.1), of.numbers(n, 0, 0.01), of.numbers(n, -0.2, 0.2)

    def run(np, p, m, v, g):
        rate, beta1, beta2, t = adam_step.RATE, adam_step.BETA1, adam_step.BETA2, adam_step.T
        m *= beta1
        m += (1 - beta1) * g
        v *= beta2
        v += (1 - beta2) * g * g
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        p -= rate * m_hat / (np.sqrt(v_hat) + 1e-8)
        return p, m, v

    def torch(torch, p, m, v, g):
        rate, beta1, beta2, t = adam_step.RATE, adam_step.BETA1, adam_step.BETA2, adam_step.T
        m.lerp_(g, 1 - beta1)
        v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
        denominator = (v.sqrt() / math.sqrt(1 - beta2**t)).add_(1e-8)
        p.addcdiv_(m, denominator, value=-rate / (1 - beta1**t))
        return p, m, v

    torch_compile = run

    def jax(np, p, m, v, g):
        rate, beta1, beta2, t = adam_step.RATE, adam_step.BETA1, adam_step.BETA2, adam_step.T
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g * g
        m_hat = m / (1 - beta1**t)
        v_hat = v / (1 - beta2**t)
        p = p - rate * m_hat / (np.sqrt(v_hat) + 1e-8)
        return p, m, v


class cross_entropy:
    def inputs(of, n, classes):
        return of.numbers((n, classes), -4, 4), of.numbers(n, 0, classes, "int64")

    def run(np, x, labels):
        n = x.shape[0]
        rows = np.arange(n)
        shifted = x - np.max(x, axis=1, keepdims=True)
        logarithms = np.log(np.sum(np.exp(shifted), axis=1))
        loss = np.mean(logarithms - shifted[rows, labels])
        gradient = np.exp(shifted - logarithms[:, None])
        gradient[rows, labels] -= 1
        gradient /= n
        return gradient, loss

    def torch(torch, x, labels):
        n = x.shape[0]
        rows = torch.arange(n, device=x.device)
        logarithms = torch.log_softmax(x, dim=1)
        loss = torch.nn.functional.nll_loss(logarithms, labels)
        gradient = torch.exp(logarithms)
        gradient[rows, labels] -= 1
        gradient /= n
        return gradient, loss

    def jax(np, x, labels):
        n = x.shape[0]
        rows = np.arange(n)
        shifted = x - np.max(x, axis=1, keepdims=True)
        logarithms = np.log(np.sum(np.exp(shifted), axis=1))
        loss = np.mean(logarithms - shifted[rows, labels])
        gradient = np.exp(shifted - logarithms[:, None])
        gradient = gradient.at[rows, labels].add(-1)
        return gradient / n, loss


class logistic_regression:
    RATE, DECAY = 0.1, 1e-3

    def inputs(of, n, features):
        from numpy import floor
        return (of.normal_numbers((n, features)), floor(of.numbers(n, 0, 2)), of.numbers(features, -0.5, 0.5),
                of.numbers(1, -0.5, 0.5))

    def run(np, x, y, w, b):
        n = x.shape[0]
        z = x @ w + b
        p = 1 / (1 + np.exp(-z))
        loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
        error = p - y
        w -= logistic_regression.RATE * (x.T @ error / n + logistic_regression.DECAY * w)
        b -= logistic_regression.RATE * np.mean(error)
        return loss, w, b

    def torch(torch, x, y, w, b):
        n = x.shape[0]
        z = x @ w + b
        loss = torch.nn.functional.binary_cross_entropy_with_logits(z, y)
        error = torch.sigmoid(z) - y
        w -= logistic_regression.RATE * (x.T @ error / n + logistic_regression.DECAY * w)
        b -= logistic_regression.RATE * torch.mean(error)
        return loss, w, b

    def jax(np, x, y, w, b):
        n = x.shape[0]
        z = x @ w + b
        p = 1 / (1 + np.exp(-z))
        loss = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
        error = p - y
        w = w - logistic_regression.RATE * (x.T @ error / n + logistic_regression.DECAY * w)
        b = b - logistic_regression.RATE * np.mean(error)
        return loss, w, b


class batch_norm:
    def inputs(of, *shape):
        return of.numbers(shape, -4, 4), of.numbers(shape[1], 0.5, 1.5), of.numbers(shape[1], -1, 1)

    def run(np, x, gain, bias):
        mean = np.mean(x, axis=(0, 2, 3), keepdims=True)
        variance = np.var(x, axis=(0, 2, 3), keepdims=True)
        normalized = (x - mean) / np.sqrt(variance + 1e-5)
        y = gain[:, None, None] * normalized + bias[:, None, None]
        return np.maximum(y, 0)

    def torch(torch, x, gain, bias):
        y = torch.nn.functional.batch_norm(x, None, None, gain, bias, training=True, eps=1e-5)
        return torch.relu(y)


class k_means_labels:
    def inputs(of, n, clusters, dimensions):
        return of.numbers((n, dimensions)), of.numbers((clusters, dimensions))

    def run(np, points, centres):
        difference = points[:, None] - centres
        distance = np.sum(np.square(difference), axis=2)
        return np.argmin(distance, axis=1)
