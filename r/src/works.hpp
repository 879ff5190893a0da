// What can be asked of the library, by name: arguments of a job in, its result out.
#pragma once

#include <string>

#include "job.hpp"

using Work = cavity_value (*)(cavity_job&);

/// std::logic_error for a name that there is not.
Work work_named(const std::string& name);

cavity_value fit_work(cavity_job& job);
cavity_value predict_work(cavity_job& job);
cavity_value validate_work(cavity_job& job);
cavity_value adapt_work(cavity_job& job);
cavity_value panel_work(cavity_job& job);
cavity_value page_work(cavity_job& job);
cavity_value stability_work(cavity_job& job);
cavity_value read_model_work(cavity_job& job);
cavity_value write_model_work(cavity_job& job);
cavity_value model_bytes_work(cavity_job& job);
cavity_value model_from_bytes_work(cavity_job& job);
cavity_value report_work(cavity_job& job);
cavity_value linear_score_work(cavity_job& job);
cavity_value discoveries_work(cavity_job& job);
cavity_value simulate_work(cavity_job& job);
cavity_value learning_curve_work(cavity_job& job);
cavity_value plan_work(cavity_job& job);
cavity_value names_work(cavity_job& job);
