#include <algorithm>

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

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; !list.empty() && at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    out.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

ReadOptions reading(const Json& request) {
  const auto text = [&](const char* name) { return request.value(name, std::string()); };
  return {.label = text("label"),
          .positive = text("positive"),
          .sample_id = text("id"),
          .group = text("group"),
          .labels_file = text("labels"),
          .covariates = words(text("covariates")),
          .orientation = orientation(request.value("orientation", "auto")),
          .compact = true,
          .sample_sheet = text("samples"),
          .sheet = text("sheet"),
          .threads = 1};
}

}  // namespace cavity::page
