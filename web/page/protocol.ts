// What the page and its worker say to each other; the worker passes requests on to the library (src/page/requests.hpp).
import type { ClassCount } from "../src/fit/report_data";

export interface Reading {
  file: string;
  samples?: string; // a sample sheet
  labels?: string; // a file of labels, for tables that have no names
  label?: string;
  group?: string;
  id?: string; // the column of sample ids
  covariates?: string; // names of columns, with commas between them
  sheet?: string; // of a workbook
  orientation?: Orientation;
}

export type Orientation = "auto" | "samples" | "features";

export type Request =
  | ({ do: "inspect" } & Reading)
  | ({ do: "fit"; stem: string; command: string } & Reading)
  | ({ do: "predict"; stem: string; model: string } & Reading)
  | { do: "example" };

export interface Understood {
  error?: string;
  columns: string[]; // to choose the label from
  samples: number;
  features: number;
  label: string;
  classes: ClassCount[];
  missing: number;
  notes: string[];
  bytes_needed: number;
  bytes_available: number;
}

export interface Fitted {
  converged: boolean;
  report: Record<string, unknown>;
  files: Record<"report" | "model" | "predictions" | "features", string>;
}

export interface Predicted {
  notes: string[];
  sample: string[];
  label: string[];
  truth: string[]; // empty where it is not known
  classes: string[];
  probabilities: number[][]; // a row a sample, a number a class
  error_rate: string; // a sentence; empty where no truth is known
  files: Record<"predictions", string>;
}

export interface Example {
  file: string;
  new: string;
}

export interface Progress {
  cell: number;
  cells: number;
  density: number;
  noise: number;
  residual: number;
}

/** To the worker: first the compiled library, then one job at a time. */
export type ToWorker = { wasm: WebAssembly.Module } | { request: Request; files: File[] };

/** From the worker: progress while a fit runs, then the answer with the files that it names. */
export type FromWorker =
  | { progress: Progress }
  | { answer: Record<string, unknown>; files: Record<string, Uint8Array<ArrayBuffer>> }
  | { broken: string };
