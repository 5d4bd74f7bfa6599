import { existsSync, rmSync, writeFileSync } from "node:fs";

/**
 * A service for tests of the supervisor: `fake-service.ts PORT [slow | never-ready | broken | fails-once FILE]`. Says
 * what `FAKE_SETTINGS` and `FAKE_OWN` are.
 */
const [port, behaviour = "", mark = ""] = process.argv.slice(2);

if (behaviour === "broken") {
  process.stdout.write(`${JSON.stringify({ level: 60, msg: "the model is missing" })}\n`);
  process.exit(1);
}
if (behaviour === "fails-once") {
  if (!existsSync(mark)) {
    writeFileSync(mark, "");
    process.exit(1);
  }
  rmSync(mark);
}

const readyAt = performance.now() + (behaviour === "slow" ? 150 : behaviour === "never-ready" ? 1e9 : 0);
Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  fetch: () =>
    new Response(`${process.env.FAKE_SETTINGS} ${process.env.FAKE_OWN}`, {
      status: performance.now() < readyAt ? 503 : 200,
    }),
});

process.on("SIGTERM", () => {
  process.stdout.write("bye\n");
  process.exit(0);
});
