// The contract between `cavity reproduce` and the page: sections of parts, shown in order. Missing numbers are null.
import type { Citation, Num } from "../fit/report_data";

export interface Paragraph {
  kind: "paragraph";
  text: string;
}

export interface Table {
  kind: "table";
  head: string[];
  rows: string[][];
}

export interface LineSeries {
  name: string; // in the legend; empty: not listed
  x: Num[];
  y: Num[];
  low: Num[]; // ends of the error bars; empty: none
  high: Num[];
  line: boolean;
  markers: boolean;
  look: number; // series of the same look belong together
}

export interface Lines {
  kind: "lines";
  name: string;
  title: string;
  x_label: string;
  y_label: string;
  log_x: boolean;
  log_y: boolean;
  series: LineSeries[];
}

export interface Bars {
  kind: "bars";
  name: string;
  title: string;
  x_label: string;
  y_label: string;
  categories: string[];
  series: { name: string; height: Num[] }[]; // a category
}

/** Our mean and standard deviation beside the printed ones. */
export interface Printed {
  kind: "printed";
  title: string;
  x_label: string;
  rows: { name: string; mean: Num; sd: Num; print: [number, number] | null }[];
}

export interface Csv {
  kind: "csv";
  file: string;
  content: string;
}

export type Part = Paragraph | Table | Lines | Bars | Printed | Csv;

export interface ReproduceData {
  kind: "reproduce";
  version: string;
  command: string;
  quick: boolean;
  seed: string;
  sections: { name: string; title: string; parts: Part[] }[];
  citation: Citation;
}
