// Checks that an error has the right type and says the telling things.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace cavity::test {

template <class E, class F>
void expect_error(F&& run, std::initializer_list<std::string> parts) {
  try {
    run();
    ADD_FAILURE() << "no error";
  } catch (const E& error) {
    const std::string message = error.what();
    for (const auto& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another type of error: " << error.what();
  }
}

}  // namespace cavity::test
