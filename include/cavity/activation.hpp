// P(label | field), by name. The formulas are in src/model/activation.hpp.
#pragma once

#include <string>

namespace cavity {

/// `noise` means: step, the probability of a flipped label; probit and logistic, the width of the transition.
enum class ActivationKind { step, probit, logistic };

/// UsageError for an unknown name.
ActivationKind parse_activation(const std::string& name);
std::string to_string(ActivationKind kind);

}  // namespace cavity
