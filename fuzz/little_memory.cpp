// Linked into the targets of the readers. The system ignores RLIMIT_RSS and the readers do not: a few bytes that ask
// for much memory are refused at 1 MB instead of at the size of this machine, so that executions are fast.
#include <sys/resource.h>

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  rlimit limit{};
  ::getrlimit(RLIMIT_RSS, &limit);
  limit.rlim_cur = 1 << 20;
  ::setrlimit(RLIMIT_RSS, &limit);
  return 0;
}
