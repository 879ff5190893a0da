// A fit as Python keeps it: the model, and what the report page needs.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "cavity/errors.hpp"
#include "cavity/fit.hpp"
#include "file/atomic_file.hpp"
#include "report/html_report.hpp"
#include "report/json_parts.hpp"

/// The page's data is made when it is asked for. A copy that comes from pickle holds that data instead of the fit; its
/// model is pickled on its own.
class Fitted {
 public:
  Fitted(cavity::Fit fit, cavity::FitOptions options) : fit_(std::move(fit)), options_(std::move(options)) {
    options_.observer = {};  // it refers to the run that is over
  }
  explicit Fitted(const std::string& state) : data_(nlohmann::ordered_json::parse(state)) {}

  const cavity::Model& model() const {
    if (!fit_) throw cavity::UsageError("a fit that was pickled has its model beside it");
    return fit_->model;
  }

  std::string state() const { return cavity::dumped(data()); }

  void write_report(const std::string& path, const std::string& name, const std::string& command) const {
    nlohmann::ordered_json shown = data();
    shown["file"] = name;
    shown["command"] = command;
    const std::string page = cavity::html_report(shown);
    cavity::write_file_atomically(path, [&](std::ostream& out) { out << page; });
  }

 private:
  nlohmann::ordered_json data() const { return fit_ ? cavity::report_data(*fit_, {"", "", options_}) : data_; }

  std::optional<cavity::Fit> fit_;
  cavity::FitOptions options_;
  nlohmann::ordered_json data_;
};
