#include "mpi/mpi_shards.hpp"

#include <mpi.h>

#include <algorithm>

namespace cavity {

MpiShards::MpiShards() {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  rank_ = static_cast<std::size_t>(rank);
  ranks_ = static_cast<std::size_t>(ranks);
}

// A reduction to one process and a broadcast, not MPI_Allreduce: the standard only recommends that the latter gives
// every process the same bits, and all decisions rest on that. In pieces, since MPI counts in int.
void MpiShards::sum(std::span<double> values) const {
  if (ranks_ == 1) return;
  const double start = MPI_Wtime();
  constexpr std::size_t piece = std::size_t{1} << 24;
  for (std::size_t at = 0; at < values.size(); at += piece) {
    double* part = values.data() + at;
    const int count = static_cast<int>(std::min(piece, values.size() - at));
    if (rank_ == 0)
      MPI_Reduce(MPI_IN_PLACE, part, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    else
      MPI_Reduce(part, nullptr, count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(part, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  seconds_ += MPI_Wtime() - start;
}

}  // namespace cavity
