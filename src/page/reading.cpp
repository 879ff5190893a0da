#include "cavity/errors.hpp"
#include "page/requests.hpp"

namespace cavity::page {

namespace {

Orientation orientation(const std::string& word) {
  if (word == "auto") return Orientation::detect;
  if (word == "samples") return Orientation::samples_in_rows;
  if (word == "features") return Orientation::features_in_rows;
  throw UsageError("unknown orientation " + word);
}

}  // namespace

ReadOptions reading(const Json& request) {
  const auto text = [&](const char* name) { return request.value(name, std::string()); };
  return {.label = text("label"),
          .positive = text("positive"),
          .group = text("group"),
          .labels_file = text("labels"),
          .orientation = orientation(request.value("orientation", "auto")),
          .compact = true,
          .sample_sheet = text("samples"),
          .threads = 1};
}

}  // namespace cavity::page
