#pragma once
#include <string>

namespace cavity::cli {

/// cavity --version --json: the program, the libraries that it runs with, and the instructions that its kernels take
/// here.
std::string version_json();

}  // namespace cavity::cli
