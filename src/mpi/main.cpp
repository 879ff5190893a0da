// cavity-mpi: `cavity fit` with the features dealt out to the processes that mpirun or srun has started.
#include <mpi.h>

#include <chrono>
#include <string>
#include <thread>

#include "cli/application.hpp"
#include "cli/options.hpp"
#include "mpi/mpi_shards.hpp"

namespace {

// One process cannot go on alone, and the others would wait for it for ever: all are ended. What is wrong with the data
// all find at the same time, and the first says it; the others only speak where the first has nothing to say.
int end_all(const std::string& message, int code, std::size_t rank) {
  if (rank > 0) std::this_thread::sleep_for(std::chrono::seconds(2));
  if (!message.empty())
    cavity::cli::say(rank == 0 ? "cavity-mpi: " + message + "\n"
                               : "cavity-mpi, process " + std::to_string(rank) + ": " + message + "\n");
  MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  {
    const cavity::MpiShards shards;
    code = cavity::cli::run_application(
        argc, argv, {"cavity-mpi", shards, true},
        [&](const std::string& message, int error) { return end_all(message, error, shards.rank()); });
  }
  MPI_Finalize();
  return code;
}
