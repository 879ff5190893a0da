// The two things that cross from JavaScript and back: a request, and the progress of a fit.
#include <emscripten.h>

#include "page/requests.hpp"

namespace {

std::string last_answer;

}  // namespace

/// The answer stays where it is until the next request.
extern "C" EMSCRIPTEN_KEEPALIVE const char* cavity_answer(const char* request) {
  last_answer = cavity::page::answer(request);
  return last_answer.c_str();
}
