const gp::ndarray<double> a = gp::arange<double>(9), x = a + 1., y = a * 2.;
