import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { gatherLines } from "./log-output.ts";
import { createLogger } from "./logger.ts";

function gathered(options: { holdMs?: number; most?: number }) {
  const written: string[][] = [];
  const write = (lines: string) =>
    void written.push(
      lines
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).msg),
    );
  const stream = gatherLines({ write, ...options });
  return { written, stream, logger: createLogger({ service: "s", stream }) };
}

test("lines are written together, once there are enough of them or they are asked for", () => {
  const { written, stream, logger } = gathered({ holdMs: 60_000, most: 300 });
  logger.info("1");
  logger.info("2");
  expect(written).toEqual([]);
  stream.flush();
  expect(written).toEqual([["1", "2"]]);
  logger.info("3".repeat(300));
  expect(written[1]).toHaveLength(1);
  stream.flush();
  expect(written).toHaveLength(2);
});

test("what waits is written soon by itself", async () => {
  const { written, logger } = gathered({ holdMs: 1 });
  for (let line = 1; line < 4; line++) {
    logger.info("a");
    while (written.length < line) await Bun.sleep(1);
  }
  expect(written).toEqual([["a"], ["a"], ["a"]]);
});

test("a warning is written at once, after what came before it", () => {
  const { written, logger } = gathered({ holdMs: 60_000 });
  logger.info("before");
  logger.warn("now");
  logger.info("after");
  expect(written).toEqual([["before", "now"]]);
});

const ENDS = [
  "",
  "process.exit(3)",
  "throw new Error('x')",
  "Promise.reject(new Error('x'))",
  "runMain(aborted); process.kill(process.pid, 'SIGTERM')",
  "runMain(async () => { throw new TypeError('x') })",
];

test("nothing is lost at the end of a process, however it ends", async () => {
  const [logger, main] = ["logger", "run-main"].map((name) => fileURLToPath(new URL(`./${name}.ts`, import.meta.url)));
  const said = async (end: string) => {
    const script = `import { createLogger } from "${logger}"; import { aborted, runMain } from "${main}";
      createLogger({ service: "a" }).info("one"); createLogger({ service: "b" }).info("two"); ${end}`;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "ignore" });
    const lines = (await new Response(child.stdout).text()).trim().split("\n");
    return [end, lines.map((line) => JSON.parse(line).msg)];
  };
  expect(await Promise.all(ENDS.map(said))).toEqual(ENDS.map((end) => [end, ["one", "two"]]));
});
