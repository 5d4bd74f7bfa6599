import { askBy, mcpOverStdio } from "@isnad/lib/mcp";
import { defineCommand } from "@isnad/lib/service/cli";
import { loadConfig, VERSION } from "@isnad/lib/service/config";

/** `mcp`: the tools of agents over standard input and output, for programs that start their tools themselves. */
export const mcp = defineCommand({
  name: "mcp",
  summary: "Serves the tools of agents (Model Context Protocol) over standard input and output.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    key: { kind: "text", value: "KEY", help: "a key of scope read, where reading needs one; default: ISNAD_KEY" },
  },
  details: `It asks the api at API_URL, so a stack has to run. A program that starts its tools itself is told this command:
npx --yes bun@1.4.4 run --silent mcp, in this folder. Over HTTP the same tools answer at POST /mcp of the api.`,
  async run({ values }, { env, stderr, signal }) {
    const { apiUrl } = loadConfig(env, { service: "api" });
    const key = values.key ?? env.ISNAD_KEY;
    const ask = askBy((path, init) => {
      const headers = new Headers(init.headers);
      if (key !== undefined) headers.set("x-api-key", key);
      return fetch(`${apiUrl}${path}`, { ...init, headers });
    });
    const onError = (error: Error): void => void stderr.write(`${error.message}\n`);
    const { promise: over, resolve } = Promise.withResolvers<void>();
    process.stdin.once("end", resolve);
    signal.addEventListener("abort", () => resolve());
    const server = mcpOverStdio(ask, { version: VERSION, onError });
    await over;
    await server.close();
    return 0;
  },
});
