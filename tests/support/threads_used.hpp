// Which test files use threads: those that ThreadSanitizer can say something about.
#pragma once
#include <string>

namespace threads_used {

/// Whether this process has started a thread although the list, tests/threads.txt, does not have the suite.
/// Under a sanitizer never, for that counts for itself who starts threads.
bool missing(const std::string& suite);

}  // namespace threads_used
