// Where a smooth function of a real variable turns sharply.
#pragma once

namespace cavity {

/// The nearest singularity in the complex plane, at centre +- i distance.
struct Bend {
  double centre, distance;
};

}  // namespace cavity
