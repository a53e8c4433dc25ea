// Which error a call throws, by NumPy's name of its class.
#pragma once
#include <string>

#include <gparray/error.hpp>

/// A call by reference. What takes one is compiled once, and not for each lambda that a macro makes.
class call_reference {
 public:
  template<class Call>
  call_reference(const Call& call)
      : call_(&call), run_([](const void* c) { (*static_cast<const Call*>(c))(); }) {}
  void operator()() const { run_(call_); }

 private:
  const void* call_;
  void (*run_)(const void*);
};

struct thrown_error {
  std::string name = "nothing", text;
};

/// An error that NumPy does not have passes on.
inline thrown_error error_thrown_by(call_reference call) {
  try {
    call();
  } catch (const gparray::linalg_error& e) {
    return {"LinAlgError", e.what()};
  } catch (const gparray::axis_error& e) {
    return {"AxisError", e.what()};
  } catch (const gparray::index_error& e) {
    return {"IndexError", e.what()};
  } catch (const gparray::overflow_error& e) {
    return {"OverflowError", e.what()};
  } catch (const gparray::type_error& e) {
    return {"TypeError", e.what()};
  } catch (const gparray::value_error& e) {
    return {"ValueError", e.what()};
  }
  return {};
}
