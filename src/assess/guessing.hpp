// Always guessing the commonest class: what a classifier has to beat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace cavity {

struct Guess {
  std::size_t of_class;           // that is guessed, of equal ones the last
  double error, brier, log_loss;  // of the guess; the last two of the classes' shares as probabilities
};
/// `counts` are samples of the classes; `shares` of them where it counts, empty: as in `counts`. The Brier score is
/// half the summed square.
Guess best_guess(std::span<const std::size_t> counts, std::span<const double> shares);

/// Where a classifier and the guess differ. Two-sided: the exact sign test, or with shares, whose samples do not weigh
/// alike, the normal one of the difference of the errors. `group_of` is the group of each sample, empty where each is
/// alone: members of one are not independent, and the sign test throws one coin for all of them.
struct AgainstGuessing {
  std::size_t gained = 0, lost = 0;  // samples: right where the guess is wrong, and the other way round
  double p_value = 1;
};
/// What each sample is called and what it is, and which class is guessed.
AgainstGuessing against_guessing(std::span<const std::uint32_t> called, std::span<const std::uint32_t> classes,
                                 std::size_t guess, std::span<const double> shares,
                                 std::span<const std::size_t> group_of = {});

}  // namespace cavity
