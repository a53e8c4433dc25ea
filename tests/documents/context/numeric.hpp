const gp::ndarray<double> a{7.5, -7.5}, b{2, 2};
