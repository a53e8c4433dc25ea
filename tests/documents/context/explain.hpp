const gp::ndarray<float> a = gp::arange<float>(9), b = gp::ones<float>({9});
