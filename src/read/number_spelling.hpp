// Decimal commas, and words that stand for a missing value, made plain before a table is parsed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cavity/read.hpp"
#include "file/bytes.hpp"

namespace cavity {

/// The text of `table`, rows cut by `delimiter`, with a point in every decimal comma and blanks in every field that
/// `options.missing_words` names, both of the same length, so that lines and columns stay what they are; nothing where
/// there is nothing to do. Commas are decimal where `options.decimal` says so or, without a word, where numbers of the
/// first rows have one, no number has a point, and not all of them could be thousands (1,234). Decisions go into
/// `notes`. `from`: the first row of data.
std::optional<Bytes> plain_spelling(std::string_view text, const char* from, const char* end, char delimiter,
                                    const ReadOptions& options, std::vector<std::string>& notes);

/// What to do about a field that is no number and looks like one with a decimal comma, or with thousands set apart;
/// empty for other text.
std::string spelling_cure(std::string_view field);

}  // namespace cavity
