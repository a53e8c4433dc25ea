"""Images: image.cpp for other libraries, as learning.py describes."""


class rgb_to_grey:
    def inputs(of, height, width):
        return of.numbers((height, width, 3), 0, 256, "uint8"),

    def run(np, image):
        rgb = image.astype(np.float32)
        r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
        grey = 0.299 * r + 0.587 * g + 0.114 * b
        return grey.astype(np.uint8)

    def torch(torch, image):
        rgb = image.float()
        r, g, b = rgb[..., 0], rgb[..., 1], rgb[..., 2]
        grey = 0.299 * r + 0.587 * g + 0.114 * b
        return grey.to(torch.uint8)


class gradient_magnitude:
    def inputs(of, height, width):
        return of.numbers((height, width)),

    def run(np, image):
        gy, gx = np.gradient(image)
        return np.sqrt(gx * gx + gy * gy)


class edges:
    def inputs(of, height, width):
        return of.numbers((height, width)),

    def slope(np, image):
        rows = image[:-2] + image[1:-1] + image[2:]
        blurred = (rows[:, :-2] + rows[:, 1:-1] + rows[:, 2:]) / 9
        across = blurred[:, 2:] - blurred[:, :-2]
        down = blurred[2:] - blurred[:-2]
        gx = across[:-2] + 2 * across[1:-1] + across[2:]
        gy = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
        return np.hypot(gx, gy)

    def run(np, image):
        slope = edges.slope(np, image)
        steep = slope > 0.5 * np.max(slope)
        return steep.astype(np.uint8)

    def torch(torch, image):
        slope = edges.slope(torch, image)
        steep = slope > 0.5 * torch.max(slope)
        return steep.to(torch.uint8)


class equalize_histogram:
    def inputs(of, height, width):
        return of.numbers((height, width), 60, 190, "uint8"),

    def run(np, image):
        histogram = np.bincount(image.ravel(), minlength=256)
        cumulative = np.cumsum(histogram)
        lowest = np.min(cumulative)
        table = np.rint((cumulative - lowest) * 255 / (image.size - lowest)).astype(np.uint8)
        return table[image]

    def torch(torch, image):
        histogram = torch.bincount(image.ravel(), minlength=256)
        cumulative = torch.cumsum(histogram, dim=0)
        lowest = torch.min(cumulative)
        table = torch.round((cumulative - lowest).double() * 255 / (image.numel() - lowest)).to(torch.uint8)
        return table[image.long()]

    def jax(np, image):
        histogram = np.bincount(image.ravel(), length=256)
        cumulative = np.cumsum(histogram)
        lowest = np.min(cumulative)
        table = np.rint((cumulative - lowest) * 255 / (image.size - lowest)).astype(np.uint8)
        return table[image]


class bilinear_resize:
    def inputs(of, height, width, new_height, new_width):
        bilinear_resize.height, bilinear_resize.width = new_height, new_width
        return of.numbers((height, width)),

    def run(np, image):
        height, width = bilinear_resize.height, bilinear_resize.width
        y = (np.arange(height, dtype=np.float32) + 0.5) * image.shape[0] / height - 0.5
        x = (np.arange(width, dtype=np.float32) + 0.5) * image.shape[1] / width - 0.5
        y, x = np.clip(y, 0, image.shape[0] - 1), np.clip(x, 0, image.shape[1] - 1)
        y0 = np.minimum(y.astype(np.int64), image.shape[0] - 2)
        x0 = np.minimum(x.astype(np.int64), image.shape[1] - 2)
        fy, fx = (y - y0.astype(np.float32))[:, None], x - x0.astype(np.float32)
        rows = y0[:, None]
        top = image[rows, x0] * (1 - fx) + image[rows, x0 + 1] * fx
        bottom = image[rows + 1, x0] * (1 - fx) + image[rows + 1, x0 + 1] * fx
        return top * (1 - fy) + bottom * fy

    def torch(torch, image):
        size = bilinear_resize.height, bilinear_resize.width
        return torch.nn.functional.interpolate(image[None, None], size, mode="bilinear")[0, 0]
