// What one figure or table of the paper becomes: files, a section of the page, a few lines of text, numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "figure/figure.hpp"
#include "figure/svg_bars.hpp"

namespace cavity {

struct ReproduceOptions {
  bool quick = false;    // smaller problems and fewer repetitions: minutes become seconds
  unsigned threads = 0;  // 0: one a core
  std::uint64_t seed = 1;
  std::size_t splits = 0;  // of table 1; 0: 200, or 6 when quick
  std::string split_log;   // table 1 keeps its splits in this CSV as it goes
  bool resume = false;     // ... and continues it
  std::string colon;       // the data of table 1
  std::function<void(const std::string& what, double share)> progress = {};  // share done, 0 to 1; one at a time
};

/// Our mean and standard deviation beside the printed ones.
struct PrintedChart {
  struct Row {
    std::string name;
    double mean, sd;
    std::optional<std::pair<double, double>> print;
  };
  std::string title, x_label;
  std::vector<Row> rows;
};

class Section {
 public:
  Section(std::string name, std::string title) : name_(std::move(name)), title_(std::move(title)) {}

  struct File {
    std::string name, content;
  };
  void paragraph(const std::string& text);  // in the page and in the printed text
  void table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows);
  void csv(const std::string& name, const std::string& content);
  void picture(const std::string& name, const Chart& figure);
  void picture(const std::string& name, const BarChart& chart);
  void picture(const PrintedChart& chart);  // in the page alone

  const std::string& name() const { return name_; }
  const std::string& title() const { return title_; }
  const nlohmann::ordered_json& parts() const { return parts_; }  // of the page, in order
  const std::string& text() const { return text_; }
  const std::vector<File>& files() const { return files_; }
  nlohmann::ordered_json numbers = nlohmann::ordered_json::object();

 private:
  std::string name_, title_, text_;
  nlohmann::ordered_json parts_ = nlohmann::ordered_json::array();
  std::vector<File> files_;
};

/// All sections as the web page's data; the contract is web/src/reproduce/reproduce_data.ts.
nlohmann::ordered_json reproduce_page_data(const std::vector<Section>& sections, const ReproduceOptions& options,
                                           const std::string& command);

}  // namespace cavity
