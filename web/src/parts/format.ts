// Numbers and names as people read them. Anything that is not a finite number is "n/a".
import type { Num } from "../fit/report_data";

const nbsp = "\u00a0";

export function is_number(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Four significant digits at most, exponents past 1e-3 and 1e6, a true minus sign. */
export function number(value: Num | undefined, digits = 4): string {
  if (!is_number(value)) return "n/a";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const [mantissa, exponent] = value.toExponential(Math.max(0, digits - 2)).split("e");
  const text =
    size < 1e-3 || size >= 1e6 ? `${Number(mantissa)}e${Number(exponent)}` : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "\u2212");
}

/** 0.145 -> "14.5 %"; a share too small for one decimal keeps two significant digits. */
export function percent(value: Num | undefined): string {
  if (!is_number(value)) return "n/a";
  const hundred = value * 100;
  const small = hundred !== 0 && Math.abs(hundred) < 0.1;
  const text = small ? String(Number(hundred.toPrecision(2))) : hundred.toFixed(1);
  return text.replace("-", "\u2212") + nbsp + "%";
}

/** Three decimals: probabilities are compared down a column. Never rounds to a false 0 or 1. */
export function probability(value: Num | undefined): string {
  if (!is_number(value)) return "n/a";
  if (value > 0 && value < 0.0005) return "<" + nbsp + "0.001";
  if (value < 1 && value > 0.9995) return ">" + nbsp + "0.999";
  return value.toFixed(3);
}

export function count(value: Num | undefined): string {
  return is_number(value) ? Math.round(value).toLocaleString("en-US") : "n/a";
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

// Control and direction characters would hide or reorder what stands next to a name.
const invisible = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A name for display: at most `length` characters (code points), nothing invisible. */
export function short_name(name: string, length = 40): string {
  const head = Array.from(name.slice(0, 2 * length + 2));
  const cut = head.length > length || name.length > 2 * length + 2;
  const text = cut ? head.slice(0, length - 1).join("") + "\u2026" : head.join("");
  return text.replace(invisible, "\ufffd") || "(no name)";
}

/** The last part of a path: what people call the file. */
export function base_name(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1) || path;
}

/** A class in a sentence: "t", but "class 1", so that counts and class names are not taken for each other. */
export function class_words(name: string, length = 24): string {
  return /^\p{L}/u.test(name) ? short_name(name, length) : `class ${short_name(name, length)}`;
}
