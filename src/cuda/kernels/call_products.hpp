// Products with the planes of genotypes. Weights are integers of a unit, and the matrix units multiply their bits with
// the calls' bits: a column of ones and noughts for every bit of a weight, counted up in 32 bits. Sums are exact, in
// any order.
//
// A pass takes two slots of 28 bits: two kinds of weights, or the lower and the upper half of one kind's 56 bits.
#pragma once

#include "cuda/kernels/call_planes.hpp"

namespace cavity::cuda {

inline constexpr unsigned slot_bits = 28, slot_count = 2;
/// A column each for the low bit, the high bit, and both set (unknown); the last only where a call is unknown.
inline constexpr unsigned most_planes = 3;

/// Weights of the calls of a row. Along the features a plane has weights of its own and the three sums are added up:
/// with b = scale base (or scale^2 base) the low bit weighs b, the high one 2 b, both b (c - 3), and all calls together
/// -b c; for squares b (1 - 2c), b (4 - 4c), -b (5 - 6c + c^2) and b c^2. Along the samples, where `centre` is null,
/// all planes have the weight b and the sums are kept apart.
struct WeightSource {
  const double *base, *scale, *centre;
  bool squared;
};

/// Of one kind of weights, on the device: the largest (as bits of a double), and the sum of the weights of all calls
/// together, as two slots. Zero before.
struct WeightScale {
  unsigned long long largest;
  long long total[slot_count];
};
void find_largest(const WeightSource& weights, std::size_t count, WeightScale* scale, cudaStream_t stream);

/// Which slots a kind takes: one, or both.
struct Slots {
  unsigned first, count;
};
/// Writes the kind's bits as the product reads them: `to` has bit_bytes() bytes, of which only its slots are written.
void write_bits(const WeightSource& weights, std::size_t count, unsigned planes, const Slots& slots, std::uint32_t* to,
                WeightScale* scale, cudaStream_t stream);
std::size_t bit_bytes(std::size_t calls, bool together, unsigned planes);

/// sums[(row * planes + plane) * 2 + slot], or [row * 2 + slot] where they are added up (together), += ...
struct CallProduct {
  bool together;
  unsigned planes;
  const std::uint32_t* bits;
};
void multiply_calls(const CallPlanes& calls, const CallProduct& product, long long* sums, cudaStream_t stream);

/// out[row] = f (sum - c (all - unknown)), f^2 and squares for squares, unknown calls standing at the centre; the
/// centre is in the weights where sums are added up.
struct CallFinish {
  CallProduct product;
  Slots slots;
  const WeightScale* scale;
  const double *factor, *centre;
  bool squared;
};
void finish_calls(const long long* sums, std::size_t rows, const CallFinish& finish, double* out, cudaStream_t stream);

}  // namespace cavity::cuda
