// cavity-cuda: `cavity` with the table and EP's joint Gaussian on a GPU where `fit` is asked for.
#include <cstdio>
#include <string>

#include "cli/application.hpp"
#include "cli/options.hpp"
#include "cuda/cuda_accelerator.hpp"

int main(int argc, char** argv) {
  const cavity::cuda::CudaShards shards;
  return cavity::cli::run_application(argc, argv, {"cavity-cuda", shards}, [](const std::string& message, int code) {
    std::fflush(stdout);
    if (!message.empty()) cavity::cli::say("cavity-cuda: " + message + "\n");
    return code;
  });
}
