// Whole families of files: the same thing wrong in each form, at each place, or with each odd number.
#pragma once

#include <fmt/format.h>

#include "corpus/corpus_file.hpp"
#include "support/model_bytes.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

/// Nearly numbers: what spreadsheets, instruments, other languages and other alphabets write.
inline const std::vector<std::string> nearly_numbers = {"1_000",
                                                        "+-1",
                                                        "1e+",
                                                        "1e5e5",
                                                        ".",
                                                        "e5",
                                                        "-.",
                                                        "0b101",
                                                        "0o17",
                                                        "1f",
                                                        "1d5",
                                                        "2.5L",
                                                        "$5",
                                                        "5$",
                                                        "<0.1",
                                                        ">5",
                                                        "~3",
                                                        "1/2",
                                                        "3:30",
                                                        "#REF!",
                                                        "TRUE",
                                                        "yes",
                                                        "N.D.",
                                                        "n.d",
                                                        "nil",
                                                        "undef",
                                                        "(5)",
                                                        "[1]",
                                                        "{1}",
                                                        "'1",
                                                        "1'000",
                                                        "5 kg",
                                                        "1 000",
                                                        "0x",
                                                        "0x1p-3",
                                                        "--",
                                                        "++1",
                                                        "1+1",
                                                        "1e1.5",
                                                        "1-",
                                                        "1.5.",
                                                        "..5",
                                                        "infin",
                                                        "nane",
                                                        "-na",
                                                        "none1",
                                                        "\xc2\xbd",
                                                        "\xef\xbc\x91",
                                                        "\xd9\xa1",
                                                        "\xe2\x88\x92"
                                                        "1",
                                                        "1\xc2\xa0"
                                                        "000",
                                                        "\xe2\x88\x9e",
                                                        "1\xe2\x80\xaf"
                                                        "2"};

/// One value of a table in each of three forms, on the fourth line.
inline Corpus table_families() {
  Corpus out;
  struct Form {
    const char *name, *separator;
  };
  for (const auto& [name, separator] : {Form{"comma", ","}, Form{"tab", "\t"}, Form{"semicolon", ";"}})
    for (std::size_t k = 0; k < nearly_numbers.size(); ++k) {
      const std::string table = fmt::format("label,a,b\nt,1,2\nn,3,4\nt,5,{}\nn,1,1\n", nearly_numbers[k]);
      out.push_back(
          {fmt::format("nearly_{}_{}.csv", name, k), replaced(table, ",", separator), 3, "line 4, column 3 (b)"});
    }
  for (std::size_t k = 0; k < nearly_numbers.size(); k += 3) {
    const std::string turned =
        fmt::format("gene\tp1\tp2\tp3\tp4\nlabel\tt\tn\tt\tn\ng1\t1\t2\t3\t4\ng2\t1\t{}\t3\t4\n", nearly_numbers[k]);
    out.push_back({fmt::format("nearly_turned_{}.tsv", k), turned, 3, "line 4", "fit @ --transpose --density 0.5"});
  }
  return out;
}

/// The same in svmlight, where white space would part the value.
inline Corpus svmlight_families() {
  Corpus out;
  for (std::size_t k = 0; k < nearly_numbers.size(); k += 2)
    if (nearly_numbers[k].find(' ') == std::string::npos)
      out.push_back({fmt::format("nearly_{}.svm", k), fmt::format("1 1:2\n-1 1:{}\n", nearly_numbers[k]), 3, "line 2"});
  return out;
}

inline Corpus matrix_market_families() {
  Corpus out;
  const std::string head = "%%MatrixMarket matrix coordinate real general\n8 2 3\n1 1 2\n";
  for (std::size_t k = 1; k < nearly_numbers.size(); k += 2)
    if (nearly_numbers[k].find(' ') == std::string::npos)
      out.push_back({fmt::format("nearly_{}.mtx", k), head + "2 1 " + nearly_numbers[k] + "\n3 1 1\n", 3, "line 4"});
  return out;
}

/// Types that NumPy has and no table of numbers does, or that are no types.
inline Corpus npy_families() {
  Corpus out;
  for (const std::string type :
       {"<c8", "<c16", "|S5", "<U3",  "|O",   "<M8[s]", "<m8[ns]", "<f16", "|V8",  "<i16",    "f4",
        "",    "<f3",  "<f0", "<f40", "<f-4", "|x1",    "=i3",     "<",    "<<f4", "<f4,<f4", "[('a', '<f4')]",
        "<u9", ">c8",  "!f4"})
    out.push_back({fmt::format("type_{}.npy", out.size()), npy(type, "(8, 2)", std::string(64, '\1')), 3, ""});
  return out;
}

/// A byte of the container changed, or the file cut, wherever that is: never more than a sentence.
inline Corpus packed_families(const std::string& whole, const std::string& end) {
  Corpus out;
  for (std::size_t at = 0; at < whole.size() && out.size() < 24; at += 1 + whole.size() / 24)
    out.push_back({fmt::format("cut_at_{}{}", at, end), whole.substr(0, at), 3, ""});
  return out;
}

/// A model cut at many places, and cut with length and checksum put right.
inline Corpus model_families(const std::string& good) {
  Corpus out;
  for (std::size_t at = 0; at < good.size(); at += 1 + good.size() / 24)
    out.push_back({fmt::format("cut_at_{}.cavity", at), good.substr(0, at), 3, ""});
  for (std::size_t at = sizeof(FileStart) + checksum_size; at < good.size(); at += 1 + good.size() / 24)
    out.push_back({fmt::format("sealed_at_{}.cavity", at), sealed(good.substr(0, at)), 3, ""});
  return out;
}

/// Every line of a sheet in turn without its end, with a field more, and with a quote that is never closed.
inline Corpus sheet_families(const std::string& good) {
  Corpus out;
  std::vector<std::size_t> starts;
  for (std::size_t at = good.find('\n') + 1; at < good.size(); at = good.find('\n', at) + 1) starts.push_back(at);
  for (std::size_t k = 0; k < starts.size(); ++k) {
    const std::size_t end = good.find('\n', starts[k]);
    const auto with = [&](const std::string& line) { return good.substr(0, starts[k]) + line + good.substr(end); };
    const std::string line = good.substr(starts[k], end - starts[k]), number = fmt::format("line {}", k + 2);
    out.push_back({fmt::format("without_fields_{}.csv", k), with(line.substr(0, line.find(','))), 3, number});
    out.push_back(
        {fmt::format("field_more_{}.csv", k), with(line + ",x"), 3, k > 0 ? number : "line 3"});  // R's row names
    out.push_back({fmt::format("open_quote_{}.csv", k), with("\"" + line), 3, number});
  }
  return out;
}

inline Corpus with(Corpus files, const Corpus& more) {
  files.insert(files.end(), more.begin(), more.end());
  return files;
}

}  // namespace cavity::test
