// What to expect before there is data.
#include "cavity/theory.hpp"
#include "works.hpp"

using namespace cavity;

namespace {

Perceptron truth_of(const cavity_value& asked) {
  return {asked.at("density").number(), parse_activation(asked.at("activation").text()), asked.at("noise").number()};
}

}  // namespace

cavity_value learning_curve_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  std::vector<double> samples, ratio, sbc, gibbs;
  for (const auto& point :
       learning_curve(asked.at("features").number(), truth_of(asked), asked.at("samples").numbers())) {
    samples.push_back(point.samples);
    ratio.push_back(point.ratio);
    sbc.push_back(point.error_sbc);
    gibbs.push_back(point.error_gibbs);
  }
  cavity_value out;
  out.put("samples", std::move(samples));
  out.put("ratio", std::move(ratio));
  out.put("error_sbc", std::move(sbc));
  out.put("error_gibbs", std::move(gibbs));
  return out;
}

cavity_value plan_work(cavity_job& job) {
  const cavity_value& asked = job.arguments;
  const double features = asked.at("features").number();
  const cavity_value* samples = asked.find("samples");
  const Plan plan = samples ? plan_error(features, truth_of(asked), samples->number())
                            : plan_samples(features, truth_of(asked), asked.at("target_error").number());
  cavity_value out;
  out.put_flag("reachable", plan.reachable);
  out.put("samples", plan.samples);
  out.put("ratio", plan.ratio);
  out.put("error_sbc", plan.error_sbc);
  out.put("error_gibbs", plan.error_gibbs);
  out.put("best_error", plan.best_error);
  return out;
}
