using gp::array, gp::zeros;
