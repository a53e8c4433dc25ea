using namespace gp::sparse;
using gp::none;
const std::int64_t n = 4;
const csr_matrix<double> a = eye<double>(n), b = a, c = a;
