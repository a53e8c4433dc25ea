# cmake -D output=FILE -D source=FOLDER -P generate.cmake
# Writes a program of all examples in docs/*.md, in docs/guide/*.md and in the comments of public headers, each a function
# of its own.
#
# Pages: blocks that begin with ```cpp. A block ```text behind such a fragment is what it prints, every line of it. What a
# fragment takes for granted stands before it, unseen by readers:
#   <!-- context: auto x = gp::ones({3}); -->      or, for what runs on GPUs alone,      <!-- GPU context: ... -->
# What readers are told about the results stands behind it, unseen too, as statements that end such a fragment:
#   <!-- check: expect(y.shape() == gp::dims{3}); -->
# A whole program is a fragment too: its includes are here already, and its main is a block.
# Headers: paragraphs of /// that are indented by three spaces or more and hold a line that ends in ; or {, and
# statements in backticks. Their context is tests/documents/context/NAME.hpp, if that is there; for sparse/eigen.hpp
# NAME is sparse_eigen.
# The README's program is the test packaging/readme, docs/guide/kernels.md the test documents/kernels. docs/guide/numpy.md and
# cupy.md, whose rows share what their fragments make, are tables.cmake's.
cmake_minimum_required(VERSION 3.22)

set(count 0)
set(checks 0)
set(functions "")
set(table "")

# read_lines(VARIABLE FILE): with the characters replaced that lists give a meaning to.
function(read_lines variable file)
  file(READ ${file} text)
  string(REPLACE ";" "@semicolon@" text "${text}")
  string(REPLACE "[" "@open@" text "${text}")
  string(REPLACE "]" "@close@" text "${text}")
  string(REPLACE "\\" "@backslash@" text "${text}")
  # Empty elements would be lost.
  string(REPLACE "\n" " ;" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# add_example(FILE LINE CONTEXT CODE GPU PRINTED): printed is a literal of C++, or nullptr where nothing is said of it.
macro(add_example file line context code gpu printed)
  file(RELATIVE_PATH name ${source} ${file})
  string(APPEND functions "void example_${count}() {\n${context}\n#line ${line} \"${file}\"\n${code}}\n\n")
  string(APPEND table "    {\"${name}:${line}\", example_${count}, ${gpu}, ${printed}},\n")
  math(EXPR count "${count} + 1")
endmacro()

file(GLOB pages ${source}/docs/*.md ${source}/docs/guide/*.md)
list(FILTER pages EXCLUDE REGEX "/(kernels|numpy|cupy)[.]md$")
foreach(page IN LISTS pages)
  read_lines(lines ${page})
  set(inside FALSE)
  set(comment FALSE)
  set(ended FALSE)
  set(printing FALSE)
  set(printed nullptr)
  set(context "")
  set(gpu false)
  set(number 0)
  foreach(line IN LISTS lines " ")
    math(EXPR number "${number} + 1")
    if(printing)
      if(line MATCHES "^```")
        set(printing FALSE)
        string(APPEND printed ")page\"")
      else()
        string(REGEX REPLACE " $" "" line "${line}")
        string(APPEND printed "${line}\n")
      endif()
      continue()
    endif()
    if(ended)
      if(line STREQUAL " ")
        continue()
      elseif(line MATCHES "^```text")
        set(printing TRUE)
        set(printed "R\"page(")
        math(EXPR checks "${checks} + 1")
        continue()
      endif()
      if(line MATCHES "^<!-- check:(.*)-->")
        string(APPEND code "${CMAKE_MATCH_1}\n")
        math(EXPR checks "${checks} + 1")
        continue()
      endif()
      add_example(${page} ${first} "${context}" "${code}" ${gpu} "${printed}")
      set(ended FALSE)
      set(printed nullptr)
      set(context "")
      set(gpu false)
    endif()
    if(inside)
      if(line MATCHES "^```")
        set(inside FALSE)
        set(ended TRUE)
      elseif(line MATCHES "^int main")
        string(APPEND code "{\n")
      elseif(line MATCHES "^#include|^namespace g[pd] = ")
        string(APPEND code "\n")
      else()
        string(APPEND code "${line}\n")
      endif()
      continue()
    elseif(line MATCHES "^```cpp")
      set(inside TRUE)
      set(code "")
      math(EXPR first "${number} + 1")
      continue()
    elseif(line MATCHES "^<!-- (GPU )?context:(.*)$")
      set(comment TRUE)
      set(gpu false)
      if(CMAKE_MATCH_1)
        set(gpu true)
      endif()
      set(line "${CMAKE_MATCH_2}")
      set(context "")
    endif()
    if(comment)
      if(line MATCHES "^(.*)-->")
        set(line "${CMAKE_MATCH_1}")
        set(comment FALSE)
      endif()
      string(APPEND context "${line}\n")
    endif()
  endforeach()
endforeach()

file(GLOB_RECURSE headers ${source}/include/gparray/*.hpp)
foreach(header IN LISTS headers)
  file(RELATIVE_PATH name ${source}/include/gparray ${header})
  string(REGEX REPLACE "/" "_" name "${name}")
  set(context "")
  if(EXISTS ${CMAKE_CURRENT_LIST_DIR}/context/${name})
    file(READ ${CMAKE_CURRENT_LIST_DIR}/context/${name} context)
    set(context "#line 1 \"${CMAKE_CURRENT_LIST_DIR}/context/${name}\"\n${context}")
  endif()
  read_lines(lines ${header})
  set(code "")
  set(is_code FALSE)
  set(number 0)
  foreach(line IN LISTS lines " ")
    math(EXPR number "${number} + 1")
    if(line MATCHES "^ *///   +(.*)$")
      if(code STREQUAL "")
        set(first ${number})
      endif()
      string(APPEND code "${CMAKE_MATCH_1}\n")
      if(line MATCHES "(@semicolon@|{) $")
        set(is_code TRUE)
      endif()
      continue()
    endif()
    if(is_code)
      add_example(${header} ${first} "${context}" "${code}" false nullptr)
    endif()
    set(code "")
    set(is_code FALSE)
    if(line MATCHES "^ *//.*`([^`]*@semicolon@)`")
      add_example(${header} ${number} "${context}" "${CMAKE_MATCH_1}\n" false nullptr)
    endif()
  endforeach()
endforeach()
if(count EQUAL 0 OR checks EQUAL 0)
  message(FATAL_ERROR "no examples, or no checks of them, were found in ${source}")
endif()

set(text "// Generated by tests/documents/generate.cmake.
#include <gparray/distributed.hpp>
#include <gparray/distributed/sparse/linalg.hpp>
#include <gparray/dynamic.hpp>
#include <gparray/format.hpp>
#include <gparray/gparray.hpp>
#include <gparray/memory_hooks.hpp>
#include <gparray/sparse.hpp>
#include <gparray/sparse/csgraph.hpp>
#include <gparray/sparse/linalg.hpp>
#include <gparray/testing.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>

namespace gp = gparray;
namespace gd = gparray::distributed;

namespace {

void expect(bool is_so, int line = __builtin_LINE()) {
  if (!is_so) throw std::runtime_error(\"the result is not what the page says, line \" + std::to_string(line));
}

${functions}struct example {
  const char* place;
  void (*run)();
  bool wants_gpu;
  const char* printed;
};
const example examples[] = {
${table}};

/// What an example prints.
std::string output_of(const example& e) {
  std::FILE* const file = std::tmpfile();
  if (!file) throw std::runtime_error(\"no temporary file\");
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  dup2(fileno(file), STDOUT_FILENO);
  std::exception_ptr thrown;
  try {
    e.run();
  } catch (...) {
    thrown = std::current_exception();
  }
  std::cout.flush();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF@semicolon@) text += static_cast<char>(c);
  std::fclose(file);
  if (thrown) std::rethrow_exception(thrown);
  return text;
}

}  // namespace

int main() {
  const char* const device = std::getenv(\"GPARRAY_DEVICE\");
  const bool has_gpu = device && std::string(device) != \"cpu\";
  int wrong = 0;
  for (const example& e : examples) {
    if (e.wants_gpu && !has_gpu) {
      std::printf(\"%s: not run, as it needs a GPU\\n\", e.place);
      continue;
    }
    try {
      const std::string printed = output_of(e);
      if (e.printed && printed != e.printed)
        throw std::runtime_error(\"prints what the page does not say:\\n\" + printed + \"instead of\\n\" + e.printed);
    } catch (const std::exception& error) {
      std::printf(\"%s: %s\\n\", e.place, error.what());
      wrong = 1;
    }
  }
  std::printf(\"%zu examples\\n\", std::size(examples));
  return wrong;
}
")
string(REPLACE "@semicolon@" ";" text "${text}")
string(REPLACE "@open@" "[" text "${text}")
string(REPLACE "@close@" "]" text "${text}")
string(REPLACE "@backslash@" "\\" text "${text}")
file(WRITE ${output} "${text}")
