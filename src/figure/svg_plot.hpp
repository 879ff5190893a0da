// A figure as a stand-alone SVG document. Series differ in shade, dash and marker, so it reads in greyscale too.
#pragma once

#include <string>

#include "figure/figure.hpp"

namespace cavity {

std::string svg_plot(const Chart& figure);

}  // namespace cavity
