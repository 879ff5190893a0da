// The worker, started when it is first needed, one request at a time. A request that is cancelled ends the worker; the
// next one starts another, from the library that is compiled already.
import type { FromWorker, Progress, Request, ToWorker } from "./protocol";

const element_text = (id: string): string => document.getElementById(id)!.textContent!;

async function compile(): Promise<WebAssembly.Module> {
  const packed = Uint8Array.from(atob(element_text("library")), (c) => c.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await WebAssembly.compile(await new Response(plain).arrayBuffer());
}

export class Cancelled extends Error {}

/** What the library refuses, in its own words. */
export class Refused extends Error {}

export interface Answer<T> {
  value: T;
  files: Record<string, Uint8Array<ArrayBuffer>>;
}

export class Engine {
  private compiled: Promise<WebAssembly.Module> | undefined;
  private worker: Worker | undefined;
  private give_up: ((reason: Error) => void) | undefined;
  private last: Promise<unknown> = Promise.resolve(); // request, whatever became of it

  private async started(): Promise<Worker> {
    this.compiled ??= compile();
    const wasm = await this.compiled;
    if (this.worker) return this.worker;
    const address = URL.createObjectURL(new Blob([element_text("worker")], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.postMessage({ wasm } satisfies ToWorker);
    return this.worker;
  }

  /** The answer as it is, an error of the library included. */
  ask<T>(request: Request, files: File[], progress: (p: Progress) => void = () => {}): Promise<Answer<T>> {
    const answer = this.last.then(() => this.send<T>(request, files, progress));
    this.last = answer.catch(() => {});
    return answer;
  }

  private async send<T>(request: Request, files: File[], progress: (p: Progress) => void): Promise<Answer<T>> {
    const worker = await this.started();
    return await new Promise<Answer<T>>((resolve, reject) => {
      this.give_up = reject;
      worker.onmessage = ({ data }: MessageEvent<FromWorker>): void => {
        if ("progress" in data) return progress(data.progress);
        if ("answer" in data) return resolve({ value: data.answer as T, files: data.files });
        this.stop(new Error(`The library stopped: ${data.broken}`));
      };
      worker.onerror = (event): void => this.stop(new Error(`The library stopped: ${event.message}`));
      worker.postMessage({ request, files } satisfies ToWorker);
    });
  }

  /** As ask, with an error of the library thrown. */
  async require<T>(request: Request, files: File[], progress?: (p: Progress) => void): Promise<Answer<T>> {
    const answer = await this.ask<T & { error?: string }>(request, files, progress);
    if (answer.value.error !== undefined) throw new Refused(answer.value.error);
    return answer;
  }

  cancel(): void {
    this.stop(new Cancelled("cancelled"));
  }

  private stop(reason: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.give_up?.(reason);
    this.give_up = undefined;
  }
}
