// What features do inside the bent cells of a question (cavity/bent_rule.hpp), from the parts of a model.
#pragma once

#include "base/threads.hpp"
#include "cavity/bent_rule.hpp"
#include "cavity/model.hpp"

namespace cavity {

/// Of a feature of the file, its part of the relevance in those bent cells where features have their own; empty where
/// there are none, and after whitening.
std::vector<double> bent_relevance(const Preprocessing& preprocessing, const BentMixture& bent);

BentRule bent_rule(const Model& model, std::size_t question, ThreadPool& pool);

}  // namespace cavity
