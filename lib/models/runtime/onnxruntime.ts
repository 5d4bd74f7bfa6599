import { createRequire } from "node:module";
import { env, platform, versions } from "node:process";

/** What the library of this version reads, once a process, when its first session is made. */
const SWITCH = { name: "ORT_DISABLE_TELEMETRY", value: "1" };

const LIBC = platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/** What Bun calls a function of a native library with. */
type ForeignFunctions = {
  dlopen(
    library: string,
    functions: { setenv: { args: readonly string[]; returns: string } },
  ): { symbols: { setenv(name: Uint8Array, value: Uint8Array, overwrite: number): number } };
};

let isSilenced = false;

/**
 * Loads onnxruntime with the telemetry of its maker off: else it writes into the temporary folder and the user's cache,
 * looks up its maker's host and sends what is run. It is loaded nowhere else. It takes tens of megabytes, so the first
 * model of a thread loads it.
 */
export function loadOnnxruntime(): Promise<typeof import("onnxruntime-node")> {
  if (!isSilenced) silence();
  isSilenced = true;
  return import("onnxruntime-node");
}

/** Sets the switch in the environment that native code reads. Throws where that cannot be done. */
function silence(): void {
  env[SWITCH.name] = SWITCH.value;
  // Bun keeps what a program sets to itself; Node and Deno hand it on.
  if (versions.bun === undefined) return;
  const ffi: ForeignFunctions = createRequire(import.meta.url)("bun:ffi");
  const { symbols } = ffi.dlopen(LIBC, { setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
  if (symbols.setenv(terminated(SWITCH.name), terminated(SWITCH.value), 1) !== 0) {
    throw new Error(`${SWITCH.name} could not be set`);
  }
}

function terminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}
