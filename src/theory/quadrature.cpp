#include "theory/quadrature.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "model/normal.hpp"

namespace cavity::theory {

namespace {

constexpr double widest_panel = 2;  // the Gaussian's own scale

double allowed_width(double low, double high, std::span<const Bend> bends) {
  double width = widest_panel;
  for (const Bend& bend : bends) {
    const double gap = std::max({0.0, low - bend.centre, bend.centre - high});
    width = std::min(width, std::hypot(gap, bend.distance));
  }
  return width;
}

void add_panel(Nodes& nodes, double low, double high, double mass) {
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const double centre = 0.5 * (low + high), half = 0.5 * (high - low);
  const auto add = [&](double offset, double weight) {
    const double x = centre + half * offset;
    nodes.x.push_back(x);
    nodes.weight.push_back(mass * half * weight * normal_pdf(x));
  };
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    add(-Rule::abscissa()[i], Rule::weights()[i]);
    add(Rule::abscissa()[i], Rule::weights()[i]);
  }
}

}  // namespace

void add_gauss_panels(Nodes& nodes, double low, double high, std::span<const Bend> bends, double mass) {
  const double middle = 0.5 * (low + high);
  // The second test ends the cutting where doubles do.
  if (high - low <= allowed_width(low, high, bends) || !(low < middle && middle < high)) {
    add_panel(nodes, low, high, mass);
    return;
  }
  add_gauss_panels(nodes, low, middle, bends, mass);
  add_gauss_panels(nodes, middle, high, bends, mass);
}

}  // namespace cavity::theory
