#include "report/html_report.hpp"

#include "cavity/errors.hpp"
#include "report/json_parts.hpp"
#include "report/report_template.hpp"

namespace cavity {

namespace {

constexpr std::string_view placeholder = "__CAVITY_REPORT_DATA__";

// JSON that no HTML parser can leave: names such as </script> stay text.
std::string escaped(const std::string& json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else if (json.compare(i, 3, "\xE2\x80\xA8") == 0 || json.compare(i, 3, "\xE2\x80\xA9") == 0) {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      out += c;
    }
  }
  return out;
}

void require(std::string_view page) {
  if (page.empty())
    throw UsageError("this build has no report page: install npm and build again (cmake -DCAVITY_REPORT_PAGE=ON)");
}

std::string_view built_in() { return {report_template, report_template_size}; }

}  // namespace

bool has_report_page() { return report_template_size > 0; }

void require_report_page() { require(built_in()); }

std::string html_report(const nlohmann::ordered_json& data) { return html_report(data, built_in()); }

std::string html_report(const nlohmann::ordered_json& data, std::string_view page) {
  require(page);
  const std::size_t at = page.find(placeholder);
  std::string out(page.substr(0, at));
  out += escaped(dumped(data));
  out += page.substr(at + placeholder.size());
  return out;
}

}  // namespace cavity
