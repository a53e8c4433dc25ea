"""Statistics and geometry: statistics.cpp for other libraries, as learning.py describes."""


class pairwise_l1:
    def inputs(of, n, m, dimensions):
        return of.numbers((n, dimensions)), of.numbers((m, dimensions))

    def run(np, x, y):
        difference = x[:, None] - y
        return np.sum(np.abs(difference), axis=-1)


class correlation_matrix:
    def inputs(of, rows, columns):
        return of.numbers((rows, columns)),

    def run(np, x):
        z = (x - np.mean(x, axis=0)) / np.std(x, axis=0)
        return z.T @ z / x.shape[0]

    def torch(torch, x):
        z = (x - torch.mean(x, dim=0)) / torch.std(x, dim=0, correction=0)
        return z.T @ z / x.shape[0]


class moving_variance:
    def inputs(of, n, window):
        moving_variance.window = window
        return of.numbers(n, dtype="float64"),

    def run(np, x):
        window = moving_variance.window
        sums, squares = np.cumsum(x, 0), np.cumsum(x * x, 0)
        mean = (sums[window:] - sums[:-window]) / window
        mean_square = (squares[window:] - squares[:-window]) / window
        return mean_square - mean * mean


class haversine:
    def inputs(of, n):
        return of.numbers(n, -90, 90, "float64"), of.numbers(n, -180, 180, "float64")

    def run(np, latitude, longitude):
        phi, lambda_ = np.radians(latitude), np.radians(longitude)
        d_phi = phi[:, None] - phi
        d_lambda = lambda_[:, None] - lambda_
        cosines = np.cos(phi)[:, None] * np.cos(phi)
        h = np.square(np.sin(d_phi / 2)) + cosines * np.square(np.sin(d_lambda / 2))
        return 2 * 6371 * np.arcsin(np.sqrt(np.minimum(h, 1)))

    def torch(torch, latitude, longitude):
        phi, lambda_ = torch.deg2rad(latitude), torch.deg2rad(longitude)
        d_phi = phi[:, None] - phi
        d_lambda = lambda_[:, None] - lambda_
        cosines = torch.cos(phi)[:, None] * torch.cos(phi)
        h = torch.square(torch.sin(d_phi / 2)) + cosines * torch.square(torch.sin(d_lambda / 2))
        return 2 * 6371 * torch.arcsin(torch.sqrt(torch.clamp(h, max=1)))
