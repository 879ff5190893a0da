// The library in a thread of its own. Files are read where they lie, in slices, as the library asks for them.
import type { FromWorker, Request, ToWorker } from "./protocol";

interface FileSystem {
  mkdir(path: string): void;
  mount(type: unknown, options: { files: File[] }, path: string): void;
  unmount(path: string): void;
  chdir(path: string): void;
  readdir(path: string): string[];
  readFile(path: string): Uint8Array<ArrayBuffer>;
  unlink(path: string): void;
}

interface Library {
  FS: FileSystem;
  WORKERFS: unknown;
  ccall(name: string, result: "string", types: ["string"], values: [string]): string;
}

declare function load_cavity(settings: object): Promise<Library>; // by emscripten, in front of this file

const inputs = "/in"; // read in place
const results = "/out"; // in memory

const say = (message: FromWorker, moved: Transferable[] = []): void => postMessage(message, { transfer: moved });

function load(wasm: WebAssembly.Module): Promise<Library> {
  return load_cavity({
    instantiateWasm(imports: WebAssembly.Imports, ready: (instance: WebAssembly.Instance) => void): object {
      void WebAssembly.instantiate(wasm, imports).then(ready);
      return {};
    },
    progress: (progress: never) => say({ progress }),
    onAbort: (what: unknown) => say({ broken: String(what) }),
  });
}

/** The files that the last request has left, taken out of the library's memory. */
function take_results({ FS }: Library): Record<string, Uint8Array<ArrayBuffer>> {
  const names = FS.readdir(results).filter((name) => name !== "." && name !== "..");
  const taken = names.map((name) => [name, FS.readFile(`${results}/${name}`)] as const);
  for (const name of names) FS.unlink(`${results}/${name}`);
  return Object.fromEntries(taken);
}

function run(library: Library, request: Request, files: File[]): void {
  const { FS } = library;
  FS.mount(library.WORKERFS, { files }, inputs);
  FS.chdir(request.do === "example" ? results : inputs);
  try {
    const answer = JSON.parse(library.ccall("cavity_answer", "string", ["string"], [JSON.stringify(request)]));
    const left = take_results(library);
    say(
      { answer, files: left },
      Object.values(left).map((bytes) => bytes.buffer),
    );
  } finally {
    FS.chdir("/");
    FS.unmount(inputs);
  }
}

let library: Promise<Library> | undefined;

onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
  try {
    if ("wasm" in data) {
      library = load(data.wasm);
      const { FS } = await library;
      for (const folder of [inputs, results]) FS.mkdir(folder);
    } else {
      run(await library!, data.request, data.files);
    }
  } catch (error) {
    say({ broken: error instanceof Error ? error.message : String(error) });
  }
};
