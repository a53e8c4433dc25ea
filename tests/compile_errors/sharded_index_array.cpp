// shows: no index arrays: a mask, a(mask), or gather() first
#include <gparray/distributed.hpp>

namespace gd = gparray::distributed;

void pick(const gd::sharded<double>& a, const gparray::ndarray<std::int64_t>& indices) { a(indices); }
