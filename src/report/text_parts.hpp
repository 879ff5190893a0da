// Parts of a fit in words.
#pragma once

#include <string>

#include "cavity/fit.hpp"
#include "file/messages.hpp"

namespace cavity {

/// What the errors are by.
inline std::string left_out(const LooEstimate& loo) { return loo.groups > 0 ? "leave-one-group-out" : "leave-one-out"; }

/// A name in a narrow column of a table, and in a wide one.
inline std::string short_name(const std::string& name) { return plain(name, 16); }
inline std::string wide_name(const std::string& name) { return plain(name, 60); }

/// Of the only question: a row a density, a column a noise, with its leave-one-out error.
std::string grid_table(const Fit& fit);
/// A line a class: how it does when left out, and the heaviest cell of its fit against the rest.
std::string class_table(const Fit& fit);
/// Rows the truth, columns what is called; empty where there are more classes than fit a terminal.
std::string confusion_table(const Fit& fit);

}  // namespace cavity
