// SHA-256 (FIPS 180-4): names of cache entries, and proof that an entry is whole.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <gparray/config.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace core {

using sha256_digest = std::array<unsigned char, 32>;

sha256_digest sha256(std::string_view bytes);
/// 64 lower-case hexadecimal digits.
std::string hexadecimal(const sha256_digest& digest);

}  // namespace core
GPARRAY_END_NAMESPACE
