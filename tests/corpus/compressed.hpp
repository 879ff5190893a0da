// gzip and zstd files that are wrong, odd, or bombs.
#pragma once

#include <algorithm>
#include <memory>

#include "corpus/corpus_file.hpp"
#include "corpus/families.hpp"
#include "support/temp_files.hpp"

namespace cavity::test {

/// gzip of `unit` repeated to `size` bytes, without holding them.
inline std::string gzip_bomb(const std::string& unit, std::size_t size) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  const std::string block = repeated(unit, std::max<std::size_t>(1, (1 << 18) / unit.size()));
  std::string out, piece(1 << 16, '\0');
  for (std::size_t done = 0; done < size;) {
    done += block.size();
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream.avail_in = static_cast<uInt>(block.size());
    do {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = static_cast<uInt>(piece.size());
      deflate(&stream, done < size ? Z_NO_FLUSH : Z_FINISH);
      out.append(piece, 0, piece.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  }
  deflateEnd(&stream);
  return out;
}

inline std::string zstd_bomb(const std::string& unit, std::size_t size) {
  const std::unique_ptr<ZSTD_CStream, decltype(&ZSTD_freeCStream)> stream(ZSTD_createCStream(), ZSTD_freeCStream);
  const std::string block = repeated(unit, std::max<std::size_t>(1, (1 << 18) / unit.size()));
  std::string out, piece(1 << 16, '\0');
  for (std::size_t done = 0; done < size;) {
    done += block.size();
    ZSTD_inBuffer in{block.data(), block.size(), 0};
    for (std::size_t left = 1; in.pos < in.size || (done >= size && left > 0);) {
      ZSTD_outBuffer to{piece.data(), piece.size(), 0};
      left = ZSTD_compressStream2(stream.get(), &to, &in, done < size ? ZSTD_e_continue : ZSTD_e_end);
      out.append(piece, 0, to.pos);
    }
  }
  return out;
}

inline std::string changed(std::string bytes, std::size_t at, char mask) {
  bytes[at] = static_cast<char>(bytes[at] ^ mask);
  return bytes;
}

/// What both formats share; `pack` compresses.
template <class Pack, class Bomb>
Corpus packed_corpus(const std::string& kind, const Pack& pack, const Bomb& bomb) {
  using namespace std::string_literals;
  const std::string end = kind == "gzip" ? ".gz" : ".zst";
  std::string lines = "label,a,b\n";
  for (int i = 0; i < 3000; ++i) lines += (i % 2 ? "t," : "n,") + std::to_string(i * 7919 % 1009) + ",1\n";
  const std::string whole = pack(lines);
  const std::size_t hundred_megabytes = 100 << 20;
  return {
      {"cut_after_magic" + end, whole.substr(0, 4), 3, "truncated"},
      {"cut_in_header" + end, whole.substr(0, 6), 3, "truncated"},
      {"cut_in_half" + end, whole.substr(0, whole.size() / 2), 3, "truncated"},
      {"cut_one_byte" + end, whole.substr(0, whole.size() - 1), 3, "truncated"},
      {"tail" + end, pack(good_table) + "tail", 3, "corrupt " + kind},
      {"empty" + end, pack(""), 3, "the file is empty"},
      {"twice" + end, pack(pack(good_table)), 3, "compressed twice"},
      {"other_inside" + end, kind == "gzip" ? gzip(zstd(good_table)) : zstd(gzip(good_table)), 3, "compressed twice"},
      {"zip_inside" + end, pack("PK\x03\x04 and so on"), 3, "zip archive"},
      {"utf16_inside" + end, pack("\xff\xfel\0a"s), 3, "UTF-16"},
      {"short_row_inside" + end, pack("label,a,b\nt,1,2\nn,3\n"), 3, "line 3"},
      {"text_inside" + end, pack("label,a,b\nt,1,2\nn,3,x\n"), 3, "line 3, column 3 (b)"},
      {"one_class_inside" + end, pack("label,a,b\nt,1,2\nt,3,4\n"), 3, "1 class"},
      {"svmlight_inside_wrong" + end, pack("1 1:1\n-1 1:x\n"), 3, "line 2"},
      {"npy_inside_cut" + end, pack(npy("<f4", "(2, 3)", "")), 3, "does not fit", "fit @ --labels LABELS"},
      {"npy_inside_huge" + end, pack(npy("<f4", "(1000000, 1000000)", "")), 3, "does not fit", "fit @ --labels LABELS"},
      {"bomb_of_zeros" + end, bomb(std::string(1, '\0'), hundred_megabytes), 3, "a NUL byte"},
      {"bomb_of_text" + end, bomb("0,0,0,0,0,0,0\n", hundred_megabytes), 3, "-fold)"},
      {"bomb_of_one_line" + end, bomb("0,", hundred_megabytes), 3, "-fold)"},
      {"bomb_of_spaces" + end, bomb(" ", hundred_megabytes), 3, "-fold)"},
      {"bomb_of_newlines" + end, bomb("\n", hundred_megabytes), 3, "-fold)"},
      {"bomb_behind_a_table" + end, pack(good_table) + bomb("t,1,2,3\n", hundred_megabytes), 3, "-fold)"},
      {"bomb_in_a_bomb" + end, pack(bomb(std::string(1, '\0'), hundred_megabytes)), 3, "compressed twice"},
      {"commas" + end, bomb(",", 15 << 20), 3, "may take"},
      {"lines" + end, bomb("t\n", 15 << 20), 3, "may take"},
      {"tokens" + end, bomb("1 \n", 15 << 20), 3, "may take"},
      {"tabs_below_a_table" + end, pack(good_table + repeated("\t", 3 << 20)), 3, "may take"},
      {"commas_asked_for_little" + end, bomb(",", 15 << 20), 3, "--memory", "fit @ --memory 200M"},
      {"sheet_of_lines" + end, bomb("p1,t\n", 30 << 20), 3, "may take",
       "fit TABLE --density 0.5 --noise 0.1 --samples @ --label state"},
      {"labels_of_lines" + end, bomb("t\n", 15 << 20), 3, "may take", "fit DATA --density 0.5 --noise 0.1 --labels @"},
      {"covariates_of_lines" + end, bomb("p1 2\n", 30 << 20), 3, "may take",
       "fit TABLE --density 0.5 --noise 0.1 --covariate-file @"},
      {"good" + end, pack(good_table), 0},
      {"two_members" + end, pack(good_table) + pack("t,1.5,0,1\nn,-1.5,0.2,2\n"), 0},
      {"crlf_inside" + end, pack(replaced(good_table, "\n", "\r\n")), 0},
  };
}

inline Corpus gzip_corpus() {
  using namespace std::string_literals;
  Corpus out = with(packed_corpus("gzip", gzip, gzip_bomb), packed_families(gzip(good_table), ".gz"));
  const std::string whole = gzip(good_table);
  const Corpus own = {
      {"method_7.gz", changed(whole, 2, 0x0f), 3, "corrupt gzip"},
      {"reserved_flags.gz", changed(whole, 3, char(0xe0)), 3, "corrupt gzip"},
      {"wrong_checksum.gz", changed(whole, whole.size() - 6, 1), 3, "incorrect data check"},
      {"wrong_length.gz", changed(whole, whole.size() - 2, 1), 3, "incorrect length check"},
      {"garbled.gz", changed(changed(whole, 12, 0x5a), 13, 0x33), 3, "gzip"},
      {"magic_alone.gz", "\x1f\x8b", 3, "truncated"},
      {"name_without_end.gz", "\x1f\x8b\x08\x08\0\0\0\0\0\x03"s + std::string(1000, 'n'), 3, "truncated"},
      {"tape_padding.gz", whole + std::string(512, '\0'), 0},
  };
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

inline Corpus zstd_corpus() {
  using namespace std::string_literals;
  Corpus out = with(packed_corpus("zstd", zstd, zstd_bomb), packed_families(zstd(good_table), ".zst"));
  const std::string magic = "\x28\xb5\x2f\xfd", whole = zstd(good_table);
  const Corpus own = {
      {"reserved_bit.zst", changed(whole, 4, 0x08), 3, "zstd"},
      {"garbled.zst", changed(changed(whole, 12, 0x5a), 13, 0x33), 3, "zstd"},
      {"window_of_an_exabyte.zst", magic + "\x00\xff\x01\0\0"s, 3, "corrupt zstd"},
      {"reserved_block.zst", magic + "\x00\x58\x07\0\0"s, 3, "corrupt zstd"},
      {"frame_says_1e18.zst", magic + "\xe0\0\0\x64\xa7\xb3\xb6\xe0\x0d\x01\0\0"s, 3, "zstd"},
      {"dictionary_needed.zst", magic + "\x01\x58\x07\x01\0\0"s, 3, "zstd"},
      {"repeated_byte_blocks.zst", magic + "\x00\x58"s + repeated("\xfa\xff\x0f\x61"s, 2000), 3, ""},
      {"nothing_but_magic.zst", magic, 3, "truncated"},
  };
  out.insert(out.end(), own.begin(), own.end());
  return out;
}

}  // namespace cavity::test
