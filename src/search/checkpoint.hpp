// The finished cells of a grid in a file, so that a fit that was stopped goes on where it was. What a cell leaves
// behind is kept bit by bit, and what starts from it (EP's next cells) is solved again from the same bits: the answer
// is that of the fit that was never stopped. Each process has a file of its own: FILE, or FILE.0of4, FILE.1of4, ... of
// four.
//
// Processes write at the same time, but a kill may come when only some have. So each of several keeps the file before
// its last one, too, and all go on from the newest that all have: EP's states shed what no later cell needs, and those
// of different times do not fit together.
//
// Cost: six doubles a feature and cell (EP; about three times that while the next cells start from it), three (AMP),
// written whole each time.
#pragma once

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "cavity/fit_options.hpp"
#include "infer/ep.hpp"
#include "infer/posterior.hpp"
#include "prepare/prepare.hpp"
#include "search/grid_solver.hpp"

namespace cavity {

/// What the cells depend on, under the names that messages use: "options" and "data". Values of the table count by each
/// feature's centre and scale and each sample's length, in single precision: machines may differ in the last bits.
nlohmann::json checkpoint_identity(const FitOptions& options, Solver solver, const Grid& grid, const Prepared& prepared,
                                   const GridProblem& problem);

class Checkpoint {
 public:
  struct Sizes {
    std::size_t cells, features, samples;  // features of this process
  };

  /// With `resume` reads the newest that all processes have; starts where one has none. Throws UsageError or
  /// InputError, by what differs, when it belongs to another fit, InputError when it is damaged, and what
  /// check_checkpoint throws.
  Checkpoint(const CheckpointOptions& options, nlohmann::json identity, const Sizes& sizes, const Shards& shards);

  std::size_t resumed() const { return resumed_; }

  /// Moves a cell of the file to where the solver wants it; false when it is not there. Posterior and state must stay
  /// in place as long as cells are added: they are written again. A solver without states passes none.
  bool restore(std::size_t cell, Posterior& posterior, EpState* state = nullptr);

  /// One cell at a time, the same in all processes. Writes the file when it is due: by the first process's clock, so
  /// that all write the same cells. Throws IoError.
  void add(std::size_t cell, const Posterior& posterior, const EpState* state = nullptr);

 private:
  using Clock = std::chrono::steady_clock;
  struct Solved {
    const Posterior* posterior;
    const EpState* state;
  };
  struct Read {
    Posterior posterior;
    EpState state;
  };
  void resume(const Sizes& sizes);
  double generation_of(const std::string& path) const;
  void read(const Sizes& sizes);
  void check_identity(const nlohmann::json& found) const;
  void write();

  const Shards& shards_;
  std::string path_, before_;  // this process's file, and the one it had before
  nlohmann::json identity_;
  Clock::duration interval_;
  Clock::time_point written_ = Clock::now();
  std::map<std::size_t, Read> read_;      // until restored
  std::map<std::size_t, Solved> solved_;  // restored or added
  std::size_t resumed_ = 0;
  double generation_ = 0;  // of the file: how often it has been written
};

}  // namespace cavity
