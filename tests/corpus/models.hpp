// Model files that are damaged by accident, or on purpose with the checksum put right.
#pragma once

#include <limits>

#include "cavity/model_file.hpp"
#include "corpus/corpus_file.hpp"
#include "support/model_bytes.hpp"

namespace cavity::test {

inline Corpus model_corpus() {
  using namespace std::string_literals;
  using Json = nlohmann::json;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const std::string good = model_bytes(small_model());
  const auto flip = [&](std::size_t at) {
    std::string out = good;
    out[at] = static_cast<char>(out[at] ^ 0x10);
    return out;
  };
  const auto versioned = [&](std::uint32_t version) {
    std::string out = good;
    std::memcpy(out.data() + 8, &version, sizeof version);
    return out;
  };
  const auto array = [](Json& header, const std::string& name) -> Json& {
    for (Json& row : header["arrays"])
      if (row["name"] == name) return row;
    throw std::logic_error(name);
  };
  const auto edited = [&](const std::string& name, const std::string& member, const Json& value) {
    return with_header(good, [&](Json& header) { array(header, name)[member] = value; });
  };
  const auto member = [&](const std::string& name, const Json& value) {
    return with_header(good, [&](Json& header) { header[name] = value; });
  };
  return {
      {"empty.cavity", "", 3, "not a cavity model"},
      {"text.cavity", "hello\n", 3, "not a cavity model"},
      {"table.cavity", good_table, 3, "not a cavity model"},
      {"magic_alone.cavity", good.substr(0, 8), 3, "cut short"},
      {"start_alone.cavity", good.substr(0, 32), 3, "cut short"},
      {"half.cavity", good.substr(0, good.size() / 2), 3, "cut short"},
      {"one_byte_short.cavity", good.substr(0, good.size() - 1), 3, "cut short"},
      {"one_byte_long.cavity", good + "x", 3, "bytes follow its end"},
      {"version_0.cavity", versioned(0), 3, "make no sense"},
      {"version_9.cavity", versioned(9), 3, "newer cavity"},
      {"version_4_billion.cavity", versioned(4294967295), 3, "newer cavity"},
      {"reserved.cavity", flip(13), 3, "make no sense"},
      {"file_size_wrong.cavity", flip(17), 3, "damaged"},
      {"header_size_wrong.cavity", flip(30), 3, "header is longer than the file"},
      {"header_flipped.cavity", flip(100), 3, "checksum"},
      {"array_flipped.cavity", flip(good.size() - 50), 3, "checksum"},
      {"checksum_flipped.cavity", flip(good.size() - 1), 3, "checksum"},
      {"header_no_json.cavity", with_header_text(good, "{\"cavity\": "), 3, "its header is not what a model has"},
      {"header_empty.cavity", with_header_text(good, ""), 3, "its header is not what a model has"},
      {"header_a_list.cavity", with_header_text(good, "[1, 2]"), 3, "its header is not what a model has"},
      {"header_deep.cavity", with_header_text(good, std::string(1000000, '[')), 3, "header"},
      {"header_deep_short.cavity", with_header_text(good, std::string(500000, '[')), 3, "header"},
      {"header_deep_objects.cavity", with_header_text(good, repeated("{\"a\":", 300000)), 3, "header"},
      {"header_of_3_megabytes.cavity", with_header_text(good, "["s + repeated("[],", 1000000) + "1]"), 3, "header"},
      {"header_not_utf8.cavity", with_header_text(good, "{\"cavity\": \"\xff\xfe\"}"), 3, "header"},
      {"no_arrays.cavity", with_header(good, [](Json& h) { h.erase("arrays"); }), 3, "header"},
      {"array_missing.cavity", with_header(good, [](Json& h) { h["arrays"].get_ref<Json::array_t&>().pop_back(); }), 3,
       "is not there"},
      {"offset_outside.cavity", edited("kept", "offset", 1000000), 3, "'kept' is out of place"},
      {"offset_negative.cavity", edited("kept", "offset", -64), 3, "header"},
      {"offset_2_64.cavity", edited("kept", "offset", 18446744073709551615U), 3, "'kept' is out of place"},
      {"bytes_beyond_file.cavity", edited("training_labels", "bytes", 1000000), 3, "out of place"},
      {"shape_1e12.cavity", edited("kept", "shape", {1000000000000}), 3, "does not match its shape"},
      {"shape_wraps.cavity", edited("training", "shape", {4294967296, 4294967296}), 3, "does not match its shape"},
      {"shape_fractional.cavity", edited("kept", "shape", {1.5}), 3, "header"},
      {"shape_text.cavity", edited("kept", "shape", {"two"}), 3, "header"},
      {"type_unknown.cavity", edited("kept", "type", "f128"), 3, "does not match its shape"},
      {"type_other.cavity", edited("kept", "type", "f32"), 3, "instead of u32"},
      {"texts_more_than_bytes.cavity", edited("feature_names", "shape", {4}), 3, "inside a text"},
      {"texts_fewer.cavity", edited("feature_names", "shape", {2}), 3, "after its last text"},
      {"text_longer_than_array.cavity", with_value(good, "feature_names", 0, 4000000000U), 3, "inside a text"},
      {"same_array_twice.cavity", edited("weight", "name", "inclusion"), 3, "twice"},
      {"transform_unknown.cavity", member("transform", "sqrt"), 3, "its transform is unknown"},
      {"transform_a_number.cavity", member("transform", 3), 3, "header"},
      {"activation_unknown.cavity", member("activation", "relu"), 3, "its activation is unknown"},
      {"intercept_a_text.cavity", member("intercept", "yes"), 3, "header"},
      {"intercept_gone.cavity", member("intercept", false), 3, "covariate weights in a component"},
      {"kept_falling.cavity", with_value(good, "kept", 0, 2U), 3, "kept features"},
      {"kept_beyond.cavity", with_value(good, "kept", 1, 4000000000U), 3, "kept features"},
      {"group_beyond.cavity", with_value(good, "group_members", 0, 3U), 3, "a group with an unknown feature"},
      {"group_size_beyond.cavity", with_value(good, "group_sizes", 0, 4294967295U), 3, "do not fit together"},
      {"mean_nan.cavity", with_value(good, "component0/mean", 0, nan), 3, "not finite"},
      {"precision_nan.cavity", with_value(good, "component0/feature_precision", 0, nan), 3, "not finite"},
      {"centre_infinite.cavity", with_value(good, "centre", 0, infinity), 3, "not finite"},
      {"training_infinite.cavity", with_value(good, "training", 0, std::numeric_limits<float>::infinity()), 3,
       "not finite"},
      {"whitening_nan.cavity", with_value(good, "whitening", 0, std::numeric_limits<float>::quiet_NaN()), 3,
       "not finite"},
      {"density_2.cavity", with_value(good, "components", 0, 2.0), 3, "density"},
      {"noise_negative.cavity", with_value(good, "components", 1, -0.5), 3, "noise"},
      {"weight_negative.cavity", with_value(good, "components", 2, -1.0), 3, "weights"},
      {"variance_negative.cavity", with_value(good, "components", 3, -1.0), 3, "variance"},
      {"inclusion_2.cavity", with_value(good, "inclusion", 0, 2.0), 3, "inclusion"},
      {"recalibration_nan.cavity", with_value(good, "recalibration", 0, nan), 3, "recalibration"},
      {"covariate_scale_nan.cavity", with_value(good, "covariate_scaling", 1, nan), 3, "not finite"},
      {"covariate_precision_zero.cavity", with_value(good, "covariate_precision", 0, 0.0), 3, "precision"},
      {"good.cavity", good, 0},
      {"unknown_member.cavity", member("colour", "blue"), 0},
  };
}

}  // namespace cavity::test
