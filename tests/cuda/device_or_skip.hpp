// Tests of the device run where there is one.
#pragma once

#include <gtest/gtest.h>

#include "cavity/errors.hpp"
#include "cuda/cuda_accelerator.hpp"

namespace cavity::test {

inline bool has_device() {
  try {
    static const cuda::Device device;
    return true;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace cavity::test

#define NEEDS_DEVICE() \
  if (!cavity::test::has_device()) GTEST_SKIP() << "skipped: no device"
