/** Describes what of Bun is used, without the types of Bun. */
type BunRuntime = {
  build(options: { entrypoints: string[]; minify: boolean; target: "browser" }): Promise<{
    outputs: { text(): Promise<string> }[];
  }>;
};

function isBun(value: unknown): value is BunRuntime {
  return typeof value === "object" && value !== null && "build" in value;
}

/** Makes one script for browsers of a TypeScript file and what it imports. */
export async function bundle(entry: string): Promise<string> {
  const runtime: unknown = Reflect.get(globalThis, "Bun");
  if (!isBun(runtime)) throw new Error("the script of the desk is bundled by Bun");
  const { outputs } = await runtime.build({ entrypoints: [entry], minify: true, target: "browser" });
  return (await outputs[0]?.text()) ?? "";
}
