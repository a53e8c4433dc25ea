const gp::ndarray<double> u{1, 0, -1}, v{1, 1};
