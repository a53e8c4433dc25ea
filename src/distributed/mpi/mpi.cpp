#include <array>
#include <dlfcn.h>
#include <vector>

#include <distributed/mpi/mpi.hpp>

#include <support/environment.hpp>
#include <support/errors.hpp>
#include <support/lazy_table.hpp>
#include <support/shared_library.hpp>

GPARRAY_BEGIN_NAMESPACE
namespace distributed::detail {
namespace {

constexpr core::variable library_variable = "GPARRAY_MPI_LIBRARY";
constexpr const char* remedy =
    "Programs of several processes need MPI: install openmpi-bin (Debian, Ubuntu), openmpi (others) or the "
    "Python package openmpi or mpich, or set GPARRAY_MPI_LIBRARY to the library's file";

/// MPICH, and what keeps its ABI: Intel MPI, MVAPICH, Cray MPICH.
mpi_constants of_mpich() {
  return {.comm_world = 0x44000000,
          .byte = 0x4c00010d,
          .errors_return = 0x54000001,
          .in_place = reinterpret_cast<const void*>(std::intptr_t{-1}),
          .thread_serialized = 2,
          .sum = 0x58000003,
          .prod = 0x58000004,
          .min = 0x58000002,
          .max = 0x58000001,
          .types = {0x4c000137, 0x4c000238, 0x4c000439, 0x4c00083a, 0x4c00013b, 0x4c00023c, 0x4c00043d,
                    0x4c00083e, 0x4c00040a, 0x4c00080b}};
}

/// Chapter 20 of MPI 5.0.
mpi_constants of_standard() {
  return {.comm_world = 0x101,
          .byte = 0x247,
          .errors_return = 0x143,
          .in_place = reinterpret_cast<const void*>(1),
          .thread_serialized = 2048,
          .sum = 0x21,
          .prod = 0x24,
          .min = 0x22,
          .max = 0x23,
          .types = {0x240, 0x248, 0x250, 0x258, 0x241, 0x249, 0x251, 0x259, 0x210, 0x214}};
}

/// Open MPI's handles are addresses of objects that its library exports.
mpi_constants of_open_mpi(void* library) {
  const auto object = [library](const char* name) {
    return reinterpret_cast<mpi_handle>(core::find_symbol(library, name, "Open MPI", remedy));
  };
  return {.comm_world = object("ompi_mpi_comm_world"),
          .byte = object("ompi_mpi_byte"),
          .errors_return = object("ompi_mpi_errors_return"),
          .in_place = reinterpret_cast<const void*>(1),
          .thread_serialized = 2,
          .sum = object("ompi_mpi_op_sum"),
          .prod = object("ompi_mpi_op_prod"),
          .min = object("ompi_mpi_op_min"),
          .max = object("ompi_mpi_op_max"),
          .types = {object("ompi_mpi_int8_t"), object("ompi_mpi_int16_t"), object("ompi_mpi_int32_t"),
                    object("ompi_mpi_int64_t"), object("ompi_mpi_uint8_t"), object("ompi_mpi_uint16_t"),
                    object("ompi_mpi_uint32_t"), object("ompi_mpi_uint64_t"), object("ompi_mpi_float"),
                    object("ompi_mpi_double")}};
}

mpi_constants constants_of(void* library) {
  // MPICH has this function in both of its libraries, and says -1 in that which has its own ABI.
  const auto abi_version = reinterpret_cast<int (*)(int*, int*)>(dlsym(library, "MPI_Abi_get_version"));
  int major = -1, minor = -1;
  if (abi_version && abi_version(&major, &minor) == 0 && major >= 1) return of_standard();
  return dlsym(library, "ompi_mpi_comm_world") ? of_open_mpi(library) : of_mpich();
}

/// The library's files, those of the launcher that has started this process first: the library of another
/// would take each process for a world of its own.
std::vector<const char*> file_names() {
  constexpr const char *open_mpi = "libmpi.so.40", *standard = "libmpi_abi.so.1", *mpich = "libmpi.so.12";
  if (core::environment("PMI_RANK") && !core::environment("PMIX_RANK")) return {mpich, standard, open_mpi};
  return {open_mpi, standard, mpich};
}

/// Where they may lie besides where the loader looks: Open MPI's launcher says where it comes from, and the
/// packages of Python have their libraries in the environment's own folder.
std::vector<std::string> folders() {
  std::vector<std::string> found{""};
  for (const core::variable variable :
       {core::variable("OPAL_PREFIX"), core::variable("VIRTUAL_ENV"), core::variable("CONDA_PREFIX")})
    if (const char* const prefix = core::environment(variable)) found.push_back(std::string(prefix) + "/lib");
  return found;
}

/// An MPI that is in the process already: the program may be linked to one, which then is the one, or have
/// loaded one.
void* find_loaded() {
  if (dlsym(RTLD_DEFAULT, "MPI_Init_thread")) return dlopen(nullptr, RTLD_LAZY);
  for (const char* const name : file_names())
    if (void* const loaded = dlopen(name, RTLD_LAZY | RTLD_NOLOAD)) return loaded;
  return nullptr;
}

void* open() {
  if (const char* const file = core::environment(library_variable)) {
    const std::array<std::string, 1> nowhere_else;
    return core::open_library({file}, nowhere_else,
                              "GPARRAY_MPI_LIBRARY must name the file of an MPI library");
  }
  if (void* const loaded = find_loaded()) return loaded;
  const std::vector<const char*> names = file_names();
  const std::vector<std::string> places = folders();
  for (const char* const name : names)
    if (void* const library = core::try_library({name}, places)) return library;
  return core::open_library({names[0]}, places, remedy);  // which says why there is none
}

mpi_table load() {
  void* const library = open();
  mpi_table table;
#define GPARRAY_MPI_CALL(name, parameters)            \
  table.name = reinterpret_cast<int(*) parameters>(   \
      core::find_symbol(library, "MPI_" #name, "MPI", \
                        "gparray needs MPI 3.0 or newer: Open MPI 1.8, MPICH 3.1 or a later one"));
#include <distributed/mpi/mpi_calls.def>
#undef GPARRAY_MPI_CALL
  table.constants = constants_of(library);
  return table;
}

}  // namespace

const mpi_table& mpi() { return core::lazy_table<load>::get(); }

const mpi_table* exchange_mpi(const mpi_table* substitute) noexcept {
  return core::lazy_table<load>::exchange(substitute);
}

bool mpi_is_running() {
  void* const library = find_loaded();
  if (!library) return false;
  const auto asks = [library](const char* name) {
    int answer = 0;
    const auto function = reinterpret_cast<int (*)(int*)>(dlsym(library, name));
    return function && function(&answer) == 0 && answer;
  };
  return asks("MPI_Initialized") && !asks("MPI_Finalized");
}

mpi_handle mpi_type_of(const mpi_constants& constants, dtype type) noexcept {
  switch (type) {
    case dtype::int8:
      return constants.types[0];
    case dtype::int16:
      return constants.types[1];
    case dtype::int32:
      return constants.types[2];
    case dtype::int64:
      return constants.types[3];
    case dtype::uint8:
      return constants.types[4];
    case dtype::uint16:
      return constants.types[5];
    case dtype::uint32:
      return constants.types[6];
    case dtype::uint64:
      return constants.types[7];
    case dtype::float32:
      return constants.types[8];
    case dtype::float64:
      return constants.types[9];
    default:
      return 0;
  }
}

std::string mpi_name_in(std::string_view description) {
  // "Open MPI v4.1.4, package: ...", "MPICH Version:      5.0.2\n...", "Intel(R) MPI Library 2021.13 ...\n"
  std::string_view name = description.substr(0, description.find_first_of(",\n"));
  constexpr std::string_view mpich = "MPICH Version:", open_mpi = "Open MPI v";
  if (name.starts_with(open_mpi)) return "Open MPI " + std::string(name.substr(open_mpi.size()));
  if (!name.starts_with(mpich)) return std::string(name);
  name.remove_prefix(mpich.size());
  name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
  return "MPICH " + std::string(name);
}

}  // namespace distributed::detail
GPARRAY_END_NAMESPACE
