# Homebrew on Linux; on macOS RELEASING.md says what is missing. The address and the checksum are those of the source tarball of
# `make dist`, where it is published, and of its line in SHA256SUMS.
class Cavity < Formula
  desc "Sparse Bayesian classifier for tables with more features than samples"
  homepage "https://example.org/cavity"
  url "https://example.org/cavity-1.0.0-source.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "node" => :build
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on "fmt"
  depends_on "hdf5"
  depends_on "highway"
  depends_on :linux
  depends_on "zlib"
  depends_on "zstd"

  def install
    args = %w[-DCAVITY_WARNINGS=OFF -DCAVITY_REPORT_PAGE=ON]
    system "cmake", "-S", ".", "-B", "build/brew", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build/brew", "--target", "programs"
    system "cmake", "--install", "build/brew", "--component", "program"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/cavity --version").strip
    system bin/"cavity", "simulate", "--samples", "60", "--features", "40", "--teacher", "0.1", "--noise", "0.02",
           "--seed", "5", "-o", "train.csv"
    system bin/"cavity", "fit", "train.csv", "--threads", "1", "-o", "train.cavity"
    assert_match "sample,probability,label", shell_output("#{bin}/cavity predict train.cavity train.csv")
  end
end
