// The report page with a placeholder for the fit's JSON, built from web/ by cmake/embed_report.cmake.
#pragma once

#include <cstddef>

namespace cavity {

/// Size 0: this build has no report page (there was no npm), and a report asked for is an error that says so.
extern const char report_template[];
extern const std::size_t report_template_size;

}  // namespace cavity
