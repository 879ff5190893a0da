// The figures and the table of the paper, one function each; every file says what is in print and what is ours.
#pragma once

#include "reproduce/section.hpp"

namespace cavity {

Section reproduce_fig1(const ReproduceOptions& options);
Section reproduce_fig3(const ReproduceOptions& options);
Section reproduce_fig4(const ReproduceOptions& options);
Section reproduce_table1(const ReproduceOptions& options);  // with the histograms of figures 5 and 6

}  // namespace cavity
