// What fixtures are made of: seeded numbers, and names that nobody should have.

/** xorshift32, Box-Muller. */
export class Stream {
  constructor(private state: number) {}
  uniform(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return ((this.state >>> 0) + 0.5) / 4294967296;
  }
  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}

export const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

export const hostile = [
  "</script><script>window.pwned = 1</script>",
  '<img src=x onerror="window.pwned = 2">',
  "<!--<script>",
  '"quoted", with comma',
  "=1+1",
  "line one\nline two\u2028line three",
  "\u202ereversed\u202c",
  "gene \u{1f9ec}\u{1f468}\u200d\u{1f52c}",
  "__CAVITY_REPORT_DATA__",
  "__proto__",
  "A".repeat(10_000),
  "\u{1f9ec}".repeat(200),
  "",
];
