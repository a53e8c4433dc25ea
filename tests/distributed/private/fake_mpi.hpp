// An MPI of two ranks, of which the other does what this one expects: its messages have come when they are
// looked for a second time. Can be made to fail at a call, never to complete, and to deliver less.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include <distributed/mpi/mpi.hpp>

namespace fake_mpi {

namespace gd = gparray::distributed::detail;
using gd::mpi_handle;

struct request {
  int looks = 0, bytes = 0;
  bool is_statement = false;
};

struct model_type {
  int calls = 0, fail_at = 0;  // counted from 1
  std::string failed;          // which call that was
  bool is_running = false, completes = true;
  int ranks = 2, missing_bytes = 0;
  std::string statement;  // of the other rank, when this one waits in vain
  std::vector<request> requests;
  std::vector<std::pair<const void*, int>> sent, received;  // where and how many bytes
  int aborts = 0;

  bool fails(const char* name) {
    if (++calls != fail_at) return false;
    failed = name;
    return true;
  }
};
inline model_type model;

constexpr mpi_handle byte = 7;

inline int begin(mpi_handle* r, int bytes, bool is_statement = false) {
  model.requests.push_back({0, bytes, is_statement});
  *r = model.requests.size();
  return 0;
}

/// Each call counts; the one that is to fail does nothing.
#define FAKE(name) \
  if (model.fails("MPI_" #name)) return 15

inline gd::mpi_table table() {
  gd::mpi_table t{};
  t.constants = {.comm_world = 1,
                 .byte = byte,
                 .errors_return = 2,
                 .in_place = nullptr,
                 .thread_serialized = 2,
                 .sum = 3,
                 .prod = 4,
                 .min = 5,
                 .max = 6,
                 .types = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20}};
  t.Initialized = [](int* is) {
    FAKE(Initialized);
    *is = model.is_running;
    return 0;
  };
  t.Init_thread = [](int*, char***, int level, int* given) {
    FAKE(Init_thread);
    model.is_running = true;
    *given = level;
    return 0;
  };
  t.Query_thread = [](int* level) {
    *level = 2;
    return 0;
  };
  t.Finalized = [](int* is) {
    *is = 0;
    return 0;
  };
  t.Finalize = [] { return 0; };
  t.Abort = [](mpi_handle, int) {
    ++model.aborts;
    return 0;
  };
  t.Get_library_version = [](char* text, int* n) {
    FAKE(Get_library_version);
    *n = std::snprintf(text, 100, "Open MPI v9.8.7, package");
    return 0;
  };
  t.Error_string = [](int, char* text, int* n) {
    *n = std::snprintf(text, 100, "the network is down");
    return 0;
  };
  t.Comm_rank = [](mpi_handle, int* r) {
    FAKE(Comm_rank);
    *r = 0;
    return 0;
  };
  t.Comm_size = [](mpi_handle, int* n) {
    FAKE(Comm_size);
    *n = model.ranks;
    return 0;
  };
  t.Comm_dup = [](mpi_handle, mpi_handle* c) {
    FAKE(Comm_dup);
    *c = 100;
    return 0;
  };
  t.Comm_split = [](mpi_handle, int, int, mpi_handle* c) {
    FAKE(Comm_split);
    *c = 101;
    return 0;
  };
  t.Comm_free = [](mpi_handle* c) {
    *c = 0;
    return 0;
  };
  t.Comm_set_errhandler = [](mpi_handle, mpi_handle) {
    FAKE(Comm_set_errhandler);
    return 0;
  };
  t.Ibarrier = [](mpi_handle, mpi_handle* r) {
    FAKE(Ibarrier);
    return begin(r, 0);
  };
  t.Ibcast = [](void* data, int n, mpi_handle, int, mpi_handle, mpi_handle* r) {
    FAKE(Ibcast);
    model.sent.emplace_back(data, n);
    return begin(r, n);
  };
  t.Iallgather = [](const void* in, int n, mpi_handle, void*, int, mpi_handle, mpi_handle, mpi_handle* r) {
    FAKE(Iallgather);
    model.sent.emplace_back(in, n);
    return begin(r, n);
  };
  t.Iallreduce = [](const void* in, void*, int n, mpi_handle, mpi_handle, mpi_handle, mpi_handle* r) {
    FAKE(Iallreduce);
    model.sent.emplace_back(in, n);
    return begin(r, n);
  };
  t.Isend = [](const void* data, int n, mpi_handle, int, int tag, mpi_handle, mpi_handle* r) {
    FAKE(Isend);
    if (tag == 0) model.sent.emplace_back(data, n);
    return begin(r, n);
  };
  t.Irecv = [](void* data, int n, mpi_handle, int, int tag, mpi_handle, mpi_handle* r) {
    FAKE(Irecv);
    if (tag == 0) model.received.emplace_back(data, n);
    else std::strcpy(static_cast<char*>(data), model.statement.c_str());
    return begin(r, n, tag != 0);
  };
  t.Test = [](mpi_handle* r, int* done, gd::mpi_status* status) {
    FAKE(Test);
    request& q = model.requests.at(*r - 1);
    *done = ++q.looks > 1 && (q.is_statement ? !model.statement.empty() : model.completes);
    const int bytes = q.bytes - model.missing_bytes;
    std::memcpy(status->content.data(), &bytes, sizeof bytes);
    return 0;
  };
  t.Get_count = [](const gd::mpi_status* status, mpi_handle, int* n) {
    FAKE(Get_count);
    std::memcpy(n, status->content.data(), sizeof *n);
    return 0;
  };
  return t;
}
#undef FAKE

}  // namespace fake_mpi
