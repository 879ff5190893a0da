// Points that fall on the same spot of the screen are drawn once: 5,000 features look the same and cost a tenth.

export interface Spot {
  x: number;
  y: number;
}

/** Indices of the first point in every square of `step` pixels, in the order given (put the important ones first). */
export function thin(points: Spot[], step: number): number[] {
  const taken = new Set<string>();
  const kept: number[] = [];
  points.forEach((point, i) => {
    const key = `${Math.round(point.x / step)},${Math.round(point.y / step)}`;
    if (taken.has(key)) return;
    taken.add(key);
    kept.push(i);
  });
  return kept;
}
