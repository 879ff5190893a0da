#include "cavity/study_sheet.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/study_words.hpp"

// Numbers and topics are those of table 2 of Collins et al., BMJ 385, e078378 (2024). Its items 12f, 12g, 20c and 24
// are asked of an evaluation alone.
namespace cavity {

namespace {

constexpr const char* blank = "**TO BE FILLED IN**";

/// One row of the sheet. `known`: what the file says; `ask`: what only the authors know.
struct Item {
  const char *number, *topic;
  std::string known;
  const char* ask = "";
};

std::string row(const Item& item) {
  std::string text = item.known;
  if (*item.ask) text += fmt::format("{}{}: {}", text.empty() ? "" : " ", blank, item.ask);
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? "\\|" : c == '\n' ? " " : std::string(1, c);
  return fmt::format("| {} | {} | {} |\n", item.number, item.topic, escaped);
}

template <class Items>
std::string part(const char* title, const Items& items) {
  std::string out = fmt::format("\n## {}\n\n| item | | |\n|---|---|---|\n", title);
  for (const Item& item : items) out += row(item);
  return out;
}

std::vector<Item> front(const StudyWords& w) {
  return {{"1", "title", w.title + ".", "the target population"},
          {"2", "abstract", "", "by TRIPOD+AI for Abstracts"},
          {"3a", "background", "", "the health care context, diagnostic or prognostic, and models that there are"},
          {"3b", "purpose", "", "target population, place in the care pathway, users"},
          {"3c", "health inequalities", "", "those known between sociodemographic groups"},
          {"4", "objectives", "Development with internal validation.", "whether it is evaluated elsewhere, too"}};
}

std::vector<Item> methods(const StudyWords& w) {
  return {
      {"5a", "data", "", "sources, and why they represent the target population"},
      {"5b", "dates", "", "start and end of accrual, and of follow-up"},
      {"6a", "setting", "", "centres: how many, where, of what kind"},
      {"6b", "eligibility", "", "who was included and who was not"},
      {"6c", "treatments", "", "those received, and how they were handled"},
      {"7", "data preparation", w.preparation + " " + fmt::format("{}", fmt::join(w.notes, "; ")),
       "what was done before the file was read: normalisation, batches, quality checks, and whether alike for all "
       "sociodemographic groups"},
      {"8a", "outcome", w.outcome,
       "its definition and time horizon, why this one, when and how it was assessed, and whether alike for all "
       "sociodemographic groups"},
      {"8b", "outcome assessors", "", "where it takes judgement, who judged: qualification, demography"},
      {"8c", "blinding", "", "whether they knew the predictors"},
      {"9a", "choice of predictors", w.predictors},
      {"9b", "predictors", "", "how and when they were measured, and whether blind to the outcome"},
      {"9c", "predictor assessors", "", "where they take judgement, who judged: qualification, demography"},
      {"10", "sample size", w.sample_size, "why so many, and that they are enough"},
      {"11", "missing data", w.missing},
      {"12a", "use of the data", w.left_out},
      {"12b", "handling of predictors", w.preparation},
      {"12c", "model", w.method + " " + w.boundary},
      {"12d", "heterogeneity", "", "how clusters such as centres were looked at; `cavity validate --by`"},
      {"12e", "performance measures",
       "Error, log loss, Brier score, balanced accuracy, sensitivity, specificity and AUC of each class, calibration, "
       "each left out; intervals of 95 %."},
      {"12f", "model updating", w.adaptations.empty() ? "None." : fmt::format("{}", fmt::join(w.adaptations, " "))},
      {"12g", "how predictions were made", "Each sample by the fit without it."},
      {"13", "class imbalance", w.classes_as_they_are},
      {"14", "fairness", "", "groups that were looked at, and why; `cavity validate --by`"},
      {"15", "model output", "A probability for every class; the likeliest one is called. " + w.calibration},
      {"16", "training and evaluation", "", "differences in setting, eligibility, outcome and predictors"},
      {"17", "ethics", "", "approval and consent"}};
}

std::vector<Item> openness() {
  return {{"18a", "funding", "", "source, and its role"},
          {"18b", "conflicts of interest", "", "of all authors"},
          {"18c", "protocol", "", "where it is, or that there was none"},
          {"18d", "registration", "", "name and number, or that there was none"},
          {"18e", "data", "", "where they can be had"},
          {"18f", "code", "cavity is free software (BSD-3-Clause); the model file holds the fit.",
           "where the code of the analysis is, such as that which made the table"}};
}

std::vector<Item> involvement() {
  return {{"19", "patients and public", "", "how they were involved, or that they were not"}};
}

std::vector<Item> results(const StudyWords& w) {
  return {
      {"20a", "flow of participants", "", "from those eligible to those analysed, with and without the outcome"},
      {"20b", "characteristics", w.participants,
       "a table of them: dates, demography, treatments, missing data; differences between demographic groups"},
      {"20c", "development and evaluation data", "", "their differences; `cavity validate` says those of predictors"},
      {"21", "model development", w.participants},
      {"22", "model specification", w.specification, "where the file is, and who may use it"},
      {"23a", "performance", w.performance + " " + w.by_class, "that of key subgroups; `cavity validate --by`"},
      {"23b", "heterogeneity of performance", "", "between clusters such as centres; `cavity validate --by`"},
      {"24", "model updating", w.adaptations.empty() ? "None." : fmt::format("{}", fmt::join(w.adaptations, " "))}};
}

std::vector<Item> discussion(const StudyWords& w) {
  const std::string said = w.warnings.empty() ? "" : fmt::format("The fit warns: {}.", fmt::join(w.warnings, "; "));
  return {{"25", "interpretation", "",
           "of the main results, fairness included, in the context of the objectives and of previous studies"},
          {"26", "limitations", said, "representativeness, sample size, overfitting, missing data, and what they do"},
          {"27a", "poor or unavailable input", w.missing, "how poor input is to be recognised"},
          {"27b", "users", w.use, "who is to use it, what they have to do and to know"},
          {"27c", "next steps", w.updates, "research that is needed on where and to whom it applies"}};
}

}  // namespace

std::string tripod_sheet(const Model& model) {
  const StudyWords w = study_words(model);
  return fmt::format(
      "# TRIPOD+AI\n\nWhat the model file knows is written out; what it does not is marked {}.\n{}{}{}{}{}{}", blank,
      part("Title, abstract, introduction", front(w)), part("Methods", methods(w)), part("Open science", openness()),
      part("Patient and public involvement", involvement()), part("Results", results(w)),
      part("Discussion", discussion(w)));
}

std::string model_card(const Model& model) {
  const StudyWords w = study_words(model);
  const auto list = [](const std::vector<std::string>& lines) {
    std::string out;
    for (const std::string& line : lines) out += fmt::format("- {}\n", line);
    return out;
  };
  std::string out = fmt::format(
      "# {}\n\n## Model\n{} {}\n\n## Use\n{} {}\n\n{}: for whom, and for whom not.\n\n## Data\n{} {} {}\n\n{}\n\n"
      "## Performance\n{} {} {}\n\n{}\n\n## Missing data\n{}\n",
      w.title, w.method, w.boundary, w.outcome, w.use, blank, w.participants, w.predictors, w.preparation,
      w.classes_as_they_are, w.left_out, w.performance, w.by_class, w.calibration, w.missing);
  if (!w.adaptations.empty()) out += fmt::format("\n## Adapted\n{}", list(w.adaptations));
  if (!w.warnings.empty()) out += fmt::format("\n## Warnings of the fit\n{}", list(w.warnings));
  return out + fmt::format("\n## Limits\n{} {}: what it must not be used for.\n", w.updates, blank);
}

}  // namespace cavity
