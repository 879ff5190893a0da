// `cavity theory point | path | sweep | plan`.
#pragma once

#include <CLI/CLI.hpp>

namespace cavity {

void add_theory_command(CLI::App& app);

}  // namespace cavity
