// A square root by Newton's iteration.
const gp::ndarray<double> a = gp::full({}, 2.0), x = gp::full({}, 1.0);
