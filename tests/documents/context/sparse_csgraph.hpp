using gp::sparse::csgraph::connected_components;
const auto graph = gp::sparse::eye<double>(4);
