const gp::ndarray<double> a = gp::arange<double>(9);
