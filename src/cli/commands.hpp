// One function a sub-command: adds it to the application; its callback does the work.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "base/shards.hpp"

namespace cavity::cli {

void add_fit_command(CLI::App& app, const std::string& command_line, const Shards& shards, int& exit_code);
void add_predict_command(CLI::App& app);
void add_validate_command(CLI::App& app, const std::string& command_line);
void add_adapt_command(CLI::App& app);
void add_features_command(CLI::App& app);
void add_report_command(CLI::App& app);
void add_compare_command(CLI::App& app, const std::string& command_line);
void add_reproduce_command(CLI::App& app, const std::string& command_line);
void add_score_command(CLI::App& app);
void add_stability_command(CLI::App& app, const std::string& command_line, int& exit_code);
void add_panel_command(CLI::App& app, const std::string& command_line, int& exit_code);
void add_simulate_command(CLI::App& app);

}  // namespace cavity::cli
