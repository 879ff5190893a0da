// Greedy labels for dots: each label takes the first free place beside its dot, or is left out. O(labels * points).

export interface Dot {
  x: number; // pixels
  y: number;
}

export interface LabelRequest extends Dot {
  text: string;
}

export interface PlacedLabel extends LabelRequest {
  left: number; // of the text
  baseline: number;
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const overlaps = (a: Box, b: Box): boolean => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
const space = 5; // between labels: "49" beside "45" must not read 4945
const line_height = 12;
const radius = 4;

function candidates(at: Dot, width: number): Box[] {
  const place = (x0: number, y0: number): Box => ({ x0, y0, x1: x0 + width, y1: y0 + line_height });
  const gap = radius + 3;
  const middle = at.y - line_height / 2;
  const above = at.y - gap - line_height;
  const below = at.y + gap - 1;
  const right = at.x + gap;
  const left = at.x - gap - width;
  return [
    place(right, middle),
    place(left, middle),
    place(right, above),
    place(left, above),
    place(right, below),
    place(left, below),
    place(at.x - width / 2, above),
    place(at.x - width / 2, below),
  ];
}

/** Labels earlier in the list win. `dots` are all dots drawn: a label may not cover one. */
export function place_labels(
  labels: LabelRequest[],
  dots: Dot[],
  frame: Frame,
  text_width: (text: string) => number,
): PlacedLabel[] {
  const taken: Box[] = dots.map((d) => ({ x0: d.x - radius, y0: d.y - radius, x1: d.x + radius, y1: d.y + radius }));
  const placed: PlacedLabel[] = [];
  for (const label of labels) {
    const inside = (b: Box): boolean =>
      b.x0 >= frame.left && b.x1 <= frame.right && b.y0 >= frame.top && b.y1 <= frame.bottom;
    const box = candidates(label, text_width(label.text)).find((b) => inside(b) && !taken.some((t) => overlaps(t, b)));
    if (!box) continue;
    taken.push({ ...box, x0: box.x0 - space, x1: box.x1 + space });
    placed.push({ ...label, left: box.x0, baseline: box.y1 - 2 });
  }
  return placed;
}
