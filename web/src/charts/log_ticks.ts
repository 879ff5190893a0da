// Ticks of a logarithmic axis: a logarithmic scale of Plot leaves out labels that were asked for.

/** 1, 2, 5 times powers of ten within the range; powers alone where labels would touch. */
export function log_ticks(low: number, high: number, pixels: number): number[] {
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10)
    ticks.push(power, 2 * power, 5 * power);
  const inside = ticks.filter((t) => t >= low * 0.999 && t <= high * 1.001);
  const decades = inside.filter((t) => Math.abs(Math.log10(t) % 1) < 1e-9);
  const closest = (Math.log10(2) / Math.log10(high / low)) * pixels;
  return closest < 34 && decades.length > 1 ? decades : inside;
}
