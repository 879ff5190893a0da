// A figure in plain text, for the terminal: one letter a series, axes with labelled ticks.
#pragma once

#include <string>

#include "figure/figure.hpp"

namespace cavity {

/// `columns` x `rows` characters for the plot itself; axes and labels come on top.
std::string text_plot(const Chart& figure, int columns = 60, int rows = 16);

}  // namespace cavity
