// The activations that users name, and what `noise` may be for each.
#pragma once

#include <vector>

#include "cavity/activation.hpp"
#include "model/activation.hpp"

namespace cavity {

/// UsageError where `noise` is out of the range of `kind`.
AnyActivation make_activation(ActivationKind kind, double noise);
/// The same with a width beside the flips of step, in units of the fields' spread sqrt(density); other kinds have none.
AnyActivation make_activation(ActivationKind kind, double noise, double width, double density);
bool is_valid_noise(ActivationKind kind, double noise);

/// What a grid tries where the user says nothing. A width goes with the spread of the fields, the root of the density.
std::vector<double> default_noises(ActivationKind kind, double density);
/// The paper's, where it has any for this kind; otherwise the defaults.
std::vector<double> paper_noises(ActivationKind kind, double density);

}  // namespace cavity
