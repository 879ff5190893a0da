// Always guessing the commoner class: what a classifier has to beat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cavity {

struct Guess {
  std::size_t of_class;           // that is guessed; of two: 1 is the positive one
  double error, brier, log_loss;  // of the guess; the last two of the class's share as a probability
};
/// `counts` are samples of the negative and of the positive class; `population` their shares where it counts.
Guess best_guess(const std::array<std::size_t, 2>& counts, const std::optional<std::array<double, 2>>& population);

/// Where a classifier and the guess differ. Two-sided: the exact sign test, or with a population, whose samples do not
/// weigh alike, the normal one of the difference of the errors. `group_of` is the group of each sample, empty where
/// each is alone: members of one are not independent, and the sign test throws one coin for all of them.
struct AgainstGuessing {
  std::size_t gained = 0, lost = 0;  // samples: right where the guess is wrong, and the other way round
  double p_value = 1;
};
AgainstGuessing against_guessing(std::span<const double> probability, std::span<const std::int8_t> labels,
                                 const std::optional<std::array<double, 2>>& population,
                                 std::span<const std::size_t> group_of = {});

/// The same of any number of classes; the Brier score is half the summed square. `shares` of the classes where it
/// counts; empty: as in `counts`.
Guess several_guess(const std::vector<std::size_t>& counts, const std::vector<double>& shares);
/// What each sample is called and what it is.
AgainstGuessing against_several_guess(std::span<const std::uint32_t> called, std::span<const std::uint32_t> classes,
                                      const std::vector<double>& shares, std::span<const std::size_t> group_of = {});

}  // namespace cavity
