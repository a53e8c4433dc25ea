# shellcheck shell=bash
# Sourced by the scripts beside it: where things are, and how to configure, build and test.
# Options are environment variables of the same names as CMake's: GPARRAY_WITH_CUDA=OFF scripts/test
set -u -o pipefail

repo_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${GPARRAY_BUILD_DIR:-$repo_root/build}
jobs=${GPARRAY_JOBS:-$(nproc)}
# Scripts mostly build from nothing.
: "${GPARRAY_UNITY_BUILD:=ON}"
# Where no GPU chooses, nobody runs the kernels: they are compiled for the oldest GPU alone, hardly optimised and packed (half of
# the time), and without a warning. All seven architectures would take six times as long and find no more.
if ! nvidia-smi --list-gpus 2>/dev/null | grep -q '^GPU' && [ -z "${CMAKE_CUDA_ARCHITECTURES+set}" ]; then
  CMAKE_CUDA_ARCHITECTURES=75-real
  quick_kernels="-Xcicc -O1 -Xptxas -O0"
  nvcc=${CMAKE_CUDA_COMPILER:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
  if "$nvcc" --help 2>/dev/null | grep -e --Ofast-compile >/dev/null; then quick_kernels="--Ofast-compile=max --compress-mode=default"; fi
  : "${CMAKE_CUDA_FLAGS=$quick_kernels -Werror all-warnings}"
fi

say() { printf '%s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}
seconds_since() { awk -v from="$1" -v to="$(date +%s.%N)" 'BEGIN { printf "%.1f", to - from }'; }

# Of clang there are checks with the oldest and the newest that is supported.
oldest_clang=clang++-14
newest_clang=clang++-19
# The C++ compiler: $CXX, or the first g++ that is new enough. Prints nothing if there is none.
oldest_gcc=12
find_compiler() {
  local name
  for name in ${CXX:-g++ g++-12 g++-13 g++-14 g++-15}; do
    command -v "$name" >/dev/null || continue
    if [ -n "${CXX:-}" ] || [ "$("$name" -dumpversion | cut -d. -f1)" -ge "$oldest_gcc" ]; then
      command -v "$name"
      return
    fi
  done
}

# python_packages FOLDER ARGUMENT...: makes an environment of Python with what pip installs by these arguments, once; GPARRAY_PYTHON names
# another Python than python3. What they say is in FOLDER.log.
python_packages() {
  local folder=$1
  shift
  # The mark is made last: an installation that was broken off starts anew.
  [ ! -e "$folder/complete" ] || return 0
  rm -rf "$folder"
  mkdir -p "$(dirname "$folder")"
  { "${GPARRAY_PYTHON:-python3}" -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check "$@"; } >"$folder.log" 2>&1 &&
    touch "$folder/complete"
}

# measurement NAME VALUE: kept in the build folder for scripts/budgets.
measurement() {
  local file=$build_dir/measurements.txt
  touch "$file"
  sed -i "/^$1=/d" "$file"
  say "$1=$2" >>"$file"
}

# The time of two cores for all that a build without CUDA would have built, too: half of what those steps took.
# Sources joined by cmake/join_tests.cmake have the name of one of their files, and files of CUDA are joined among
# themselves. A step that is listed under a whole path is listed under its name, too.
cpu_build_seconds() {
  awk -F '\t' '
    /^#/ || $4 ~ /^\/|gparray_cuda_objects|^generated\/|\/(test_)?(cuda|jit|kernel_nvrtc)_[^\/]*$/ { next }
    { took[$4] = $2 - $1 }
    END { for (step in took) sum += took[step]; printf "%.1f", sum / 2000 }' "$build_dir/.ninja_log"
}

# configure PRESET: a folder that was configured otherwise starts anew, so that an option of an earlier run
# is not silently kept. Compiled objects stay where the new options do not touch them.
configure() {
  local preset=$1 option log=$build_dir/configure.log record=$build_dir/configuration.txt
  local arguments=(-G Ninja "-DCMAKE_CXX_COMPILER=$(find_compiler)")
  for option in GPARRAY_WITH_CUDA GPARRAY_SANITIZE GPARRAY_BUILD_TESTS GPARRAY_BUILD_EXAMPLES GPARRAY_BUILD_BENCH GPARRAY_BUILD_TOOLS \
    GPARRAY_UNITY_BUILD GPARRAY_QUICK_BUILD GPARRAY_TEST_PYTHON CMAKE_BUILD_TYPE CMAKE_CUDA_ARCHITECTURES CMAKE_CUDA_COMPILER CMAKE_CUDA_FLAGS; do
    [ -z "${!option+set}" ] || arguments+=("-D$option=${!option}")
  done
  if command -v ccache >/dev/null; then
    arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$build_dir"
  rm -f "$build_dir/test_summary.txt"
  if [ "$(cat "$record" 2>/dev/null)" != "$repo_root $preset ${arguments[*]}" ]; then
    rm -rf "$build_dir/CMakeCache.txt" "$build_dir/CMakeFiles" "$record"
  fi
  if ! (cd "$repo_root" && cmake --preset "$preset" -B "$build_dir" "${arguments[@]}") >"$log" 2>&1; then
    cat "$log" >&2
    fail "configuration failed"
  fi
  say "$repo_root $preset ${arguments[*]}" >"$record"
  sed -n 's/^-- \(gparray [0-9]\)/\1/p; s/^--   /  /p' "$log"
}

# A line every half minute, where there is no terminal for ninja to draw on.
show_progress() {
  local line next=30
  SECONDS=0
  while IFS= read -r line; do
    if [ "$SECONDS" -ge "$next" ] && [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      say "  step ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
      next=$((SECONDS + 30))
    fi
  done
}

# build TARGET...: everything where none is named.
build() {
  local log=$build_dir/build.log start status first=no hits targets=()
  [ $# = 0 ] || targets=(--target "$@")
  [ $# != 0 ] || [ -f "$build_dir/.ninja_log" ] || first=yes
  export NINJA_STATUS='[%f/%t] ' CCACHE_STATSLOG=$build_dir/ccache.log
  rm -f "$CCACHE_STATSLOG"
  say "building in $build_dir with $jobs jobs"
  start=$(date +%s.%N)
  if [ -t 1 ]; then
    # Under a terminal ninja draws its own progress, and its errors stay on the screen.
    cmake --build "$build_dir" --parallel "$jobs" ${targets[@]+"${targets[@]}"}
    status=$?
  else
    cmake --build "$build_dir" --parallel "$jobs" ${targets[@]+"${targets[@]}"} 2>&1 | tee "$log" | show_progress
    status=${PIPESTATUS[0]}
    if [ "$status" != 0 ]; then
      # The output of the steps that failed, without the others' warnings.
      awk '/^\[[0-9]+\/[0-9]+\]/ { failed = 0 } /^(FAILED|ninja):/ { failed = 1 } failed' "$log" | cut -c 1-1000 | head -n 60 >&2
      say "(all of it: $log)"
    fi
  fi
  [ "$status" = 0 ] || fail "the build failed"
  say "built in $(seconds_since "$start") s"
  if [ "$first" = yes ]; then
    hits=$(grep -cE '^(direct|preprocessed)_cache_hit' "$CCACHE_STATSLOG" 2>/dev/null)
    measurement build_seconds "$(seconds_since "$start")"
    measurement cpu_build_seconds "$(cpu_build_seconds)"
    measurement build_cache_hits "${hits:-0}"
    measurement build_jobs "$jobs"
  fi
}

# Reads CTest's JUnit file: prints the backends line, then the count line. A test that was not run for any other
# reason than that its backend is missing has failed.
summarise_tests() {
  awk '
    function finish() {
      if (name == "") return
      if (skip) skipped++; else if (good) passed++; else failed++
      if (device != "") {
        if (!(device in seen)) { seen[device] = 1; devices[++device_count] = device }
        if (!skip) ran[device] = 1
        else if (reason != "") why[device] = reason
      }
    }
    /^\t<testcase / {
      finish()
      name = $0; sub(/.* name="/, "", name); sub(/".*/, "", name)
      device = name ~ /^(cpu|cuda:[0-9]+)\// ? substr(name, 1, index(name, "/") - 1) : ""
      good = /status="run"/; skip = 0; reason = ""
    }
    /<skipped message="SKIP_RETURN_CODE=77"/ { skip = 1 }
    / skipped: / { reason = $0; sub(/.* skipped: /, "", reason) }
    END {
      finish()
      line = "backends:"
      for (i = 1; i <= device_count; i++)
        line = line (i > 1 ? "; " : " ") devices[i] (devices[i] in ran ? " ran" : " skipped (" why[devices[i]] ")")
      print line
      printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    }' "$1"
}

# run_tests CTEST_ARGUMENT...: the status is CTest's, and the last line is the count.
run_tests() {
  local log=$build_dir/test.log results=$build_dir/test_results.xml start status runner=()
  # ThreadSanitizer needs the address space layout that randomisation takes away on new kernels.
  if grep -qx 'GPARRAY_SANITIZE:STRING=thread' "$build_dir/CMakeCache.txt" && setarch "$(uname -m)" -R true 2>/dev/null; then
    runner=(setarch "$(uname -m)" -R)
  fi
  rm -f "$results"
  start=$(date +%s.%N)
  ${runner[@]+"${runner[@]}"} ctest --test-dir "$build_dir" --parallel "$jobs" --output-on-failure --no-tests=error --no-label-summary \
    --output-junit "$results" "$@" >"$log" 2>&1
  status=$?
  if [ "$status" != 0 ]; then
    grep -vE '^Internal ctest|^Test project|^ +Start |(Passed|\*\*\*Skipped) +[0-9.]+ sec$|\(Skipped\)$|did not run:$' "$log" | head -n 400
    say "(all of it: $log)"
  fi
  say "tested in $(seconds_since "$start") s"
  [ $# = 0 ] && measurement test_seconds "$(seconds_since "$start")"
  [ -f "$results" ] || fail "0 passed, 1 failed, 0 skipped"
  summarise_tests "$results" | tee "$build_dir/test_summary.txt"
  return "$status"
}

# add_counts SUMMARY...: the backends line of the first, and the sum of the count lines. A leg whose summary is
# missing did not get as far as its tests, which is a failure.
add_counts() {
  local file
  head -n 1 "$1" 2>/dev/null
  for file in "$@"; do
    tail -n 1 "$file" 2>/dev/null || say "0 passed, 1 failed, 0 skipped"
  done | awk '{ passed += $1; failed += $3; skipped += $5 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
}
