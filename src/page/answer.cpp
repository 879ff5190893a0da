#include <new>

#include "cavity/errors.hpp"
#include "cavity/report.hpp"
#include "page/requests.hpp"
#include "report/json_parts.hpp"

namespace cavity::page {

namespace {

Json carried_out(const Json& request) {
  const std::string& what = request.at("do").get_ref<const std::string&>();
  if (what == "inspect") return inspect(request);
  if (what == "fit") return fit(request);
  if (what == "predict") return predict(request);
  if (what == "example") return example(request);
  throw UsageError("unknown request " + what);
}

}  // namespace

std::string answer(const std::string& request) {
  try {
    return dumped(carried_out(Json::parse(request)));
  } catch (const Error& error) {
    return dumped(Json{{"error", spell_options(error.what(), OptionStyle::flags)}});
  } catch (const std::bad_alloc&) {
    return dumped(Json{{"error", "out of memory: use fewer features, or the command line on a larger machine"}});
  } catch (const std::exception& error) {
    return dumped(Json{{"error", error.what()}});
  }
}

}  // namespace cavity::page
