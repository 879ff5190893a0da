#include "cli/model_reading.hpp"

#include "cavity/report.hpp"
#include "fit/reading_for_model.hpp"

namespace cavity::cli {

ReadOptions reading_for(const Model& model, const ReadFlags& flags, unsigned threads) {
  return reading_for_model(model, flags.resolved(threads));
}

void say_notes(const Dataset& data) {
  for (const std::string& note : data.notes) say(spell_options(note, OptionStyle::flags) + "\n");
}

}  // namespace cavity::cli
