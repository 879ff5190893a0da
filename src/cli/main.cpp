#include <cstdio>
#include <cstdlib>
#include <string>

#include "cli/application.hpp"
#include "cli/options.hpp"

namespace {

int fail(const std::string& message, int code) {
  std::fflush(stdout);
  if (!message.empty()) cavity::cli::say("cavity: " + message + "\n");
  return code;
}

// Started by mpirun or srun as several processes, each would do all the work and write the same files.
bool one_of_many() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name); size && std::atoi(size) > 1) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  if (one_of_many()) return fail("this program runs as one process; mpirun starts cavity-mpi", 2);
  return cavity::cli::run_application(argc, argv, {"cavity"}, fail);
}
