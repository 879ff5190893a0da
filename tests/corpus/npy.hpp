// NumPy arrays that are wrong, or odd. They are fitted with eight labels, four a class.
#pragma once

#include <cmath>
#include <limits>

#include "corpus/corpus_file.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

inline Corpus npy_corpus() {
  using namespace std::string_literals;
  const std::vector<float> values = {2.1F, 0.3F, -1.9F, 0.1F, 1.7F, -0.4F, -2.2F, 0.5F,
                                     2.4F, 0.2F, -1.6F, 0.3F, 1.8F, 0.1F,  -2.0F, 0.2F};
  const std::string data = raw(values), good = npy("<f4", "(8, 2)", data);
  const auto with = [&](float odd) {
    std::vector<float> out = values;
    out[5] = odd;
    return npy("<f4", "(8, 2)", raw(out));
  };
  const auto typed = [&](const std::string& type, std::size_t bytes) {
    return npy(type, "(8, 2)", std::string(16 * bytes, '\1'));
  };
  const auto shaped = [&](const std::string& shape) { return npy("<f4", shape, data); };
  const auto headed = [&](std::string header) {
    header.resize(117, ' ');
    return "\x93NUMPY\x01\0\x76\0"s + header + "\n" + data;
  };
  std::vector<double> large(16, 1e39);
  return {
      {"magic_alone.npy", "\x93NUMPY", 3, "truncated header"},
      {"version_alone.npy", "\x93NUMPY\x01\0"s, 3, "truncated header"},
      {"header_cut.npy", good.substr(0, 60), 3, "truncated header"},
      {"no_data.npy", good.substr(0, 128), 3, "does not fit the 0 bytes"},
      {"data_cut.npy", good.substr(0, good.size() - 1), 3, "truncated?"},
      {"byte_too_many.npy", good + "x", 3, "does not fit the 65 bytes"},
      {"version_0.npy", npy("<f4", "(8, 2)", data, false, 0), 3, "version 0 is not known"},
      {"version_4.npy", npy("<f4", "(8, 2)", data, false, 4), 3, "version 4 is not known"},
      {"header_longer_than_file.npy", "\x93NUMPY\x01\0\xff\xff{'descr'"s, 3, "truncated header"},
      {"header_of_4_gigabytes.npy", "\x93NUMPY\x02\0\xff\xff\xff\xff{'descr'"s, 3, "truncated header"},
      {"empty_header.npy", "\x93NUMPY\x01\0\0\0    "s, 3, "its header has no descr"},
      {"no_descr.npy", headed("{'fortran_order': False, 'shape': (8, 2), }"), 3, "no descr"},
      {"no_order.npy", headed("{'descr': '<f4', 'shape': (8, 2), }"), 3, "no fortran_order"},
      {"no_shape.npy", headed("{'descr': '<f4', 'fortran_order': False, }"), 3, "no shape"},
      {"key_without_value.npy", headed("{'descr'"), 3, "no descr"},
      {"key_and_colon.npy", headed("{'fortran_order': False, 'shape': (8, 2), 'descr':"), 3, ""},
      {"unclosed_shape.npy", headed("{'descr': '<f4', 'fortran_order': False, 'shape': (8, 2"), 3, "no shape"},
      {"shape_of_text.npy", shaped("(eight, 2)"), 3, "unreadable shape"},
      {"negative_shape.npy", shaped("(-8, 2)"), 3, "unreadable shape"},
      {"shape_beyond_2_64.npy", shaped("(99999999999999999999, 2)"), 3, "unreadable shape"},
      {"one_dimension.npy", shaped("(16,)"), 3, "a 2-D array is needed"},
      {"no_dimension.npy", shaped("()"), 3, "a 2-D array is needed"},
      {"three_dimensions.npy", shaped("(2, 4, 2)"), 3, "a 2-D array is needed"},
      {"no_samples.npy", npy("<f4", "(0, 2)", ""), 3, "0 samples"},
      {"no_features.npy", npy("<f4", "(8, 0)", ""), 3, "no features"},
      {"shape_1e12.npy", shaped("(1000000000000, 1)"), 3, "does not fit"},
      {"shape_1e6_by_1e6.npy", shaped("(1000000, 1000000)"), 3, "does not fit"},
      {"shape_wraps_to_64_bytes.npy", shaped("(4611686018427387908, 4)"), 3, "does not fit"},
      {"shape_largest.npy", shaped("(18446744073709551615, 18446744073709551615)"), 3, "does not fit"},
      {"big_endian.npy", typed(">f4", 4), 3, "big-endian"},
      {"complex.npy", typed("<c8", 8), 3, "not supported"},
      {"half.npy", typed("<f2", 2), 3, "not supported"},
      {"long_double.npy", typed("<f16", 16), 3, "not supported"},
      {"objects.npy", npy("|O", "(8, 2)", "cos\nsystem\n(S'true'\ntR."), 3, "not supported"},
      {"texts.npy", typed("<U1", 4), 3, "not supported"},
      {"dates.npy", typed("<M8[ns]", 8), 3, "not supported"},
      {"structured.npy", headed("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (16,), }"), 3,
       "not supported"},
      {"infinity.npy", with(std::numeric_limits<float>::infinity()), 3, "row 3, column 2 (x2): infinite"},
      {"minus_infinity.npy", with(-std::numeric_limits<float>::infinity()), 3, "infinite"},
      {"doubles_beyond_floats.npy", npy("<f8", "(8, 2)", raw(large)), 3, "too large for a 32-bit float"},
      {"constant.npy", typed("<i1", 1), 3, "no feature is left"},
      {"nine_samples.npy", npy("<f4", "(9, 2)", data + raw(std::vector<float>{1, 2})), 3, "8 labels for 9 samples"},
      {"seven_million_samples.npy", npy("|i1", "(7000000, 1)", std::string(7000000, '\1')), 3,
       "8 labels for 7000000 samples"},
      {"labels_missing.npy", good, 2, "holds no labels", "fit @"},
      {"label_column.npy", good, 2, "no named columns", "fit @ --label 1"},
      {"denormals.npy", with(1e-44F), 0},
      {"not_a_number_is_missing.npy", with(std::nanf("")), 0},
      {"largest_float.npy", with(3.4e38F), 0},
      {"fortran_order.npy", npy("<f4", "(8, 2)", data, true), 0},
      {"version_2.npy", npy("<f4", "(8, 2)", data, false, 2), 0},
      {"integers_beyond_2_53.npy",
       npy("<i8", "(8, 2)",
           raw(std::vector<std::int64_t>{9007199254740993, 1, -9007199254740993, 2, 9007199254740995, 1,
                                         -9007199254740997, 2, 9007199254740993, 3, -9007199254740993, 1,
                                         9007199254740993, 2, -9007199254740993, 3})),
       0},
  };
}

}  // namespace cavity::test
