// A fit, and something more from the solved cells behind it, which are gone once it is returned.
#pragma once

#include <functional>

#include "select/describe.hpp"

namespace cavity {

/// `then` is called once the fit is complete.
Fit fit_and_then(Dataset data, const FitOptions& options,
                 const std::function<void(const Answer&, const Fit&, ThreadPool&)>& then,
                 const Shards& shards = Shards::whole());

}  // namespace cavity
