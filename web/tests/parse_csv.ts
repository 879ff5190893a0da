// A CSV reader of the tests' own, after RFC 4180.

export function parse_csv(text: string): string[][] {
  const rows: string[][] = [[]];
  let at = 0;
  const field = (): string => {
    if (text[at] !== '"') {
      const end = text.slice(at).search(/[,\n]/);
      const value = text.slice(at, at + end);
      at += end;
      return value;
    }
    let value = "";
    for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += text[at] === '"' ? 2 : 1) value += text[at];
    at += 1;
    return value;
  };
  while (at < text.length) {
    rows.at(-1)!.push(field());
    if (text[at] === "\n" && at + 1 < text.length) rows.push([]);
    at += 1;
  }
  return rows;
}
