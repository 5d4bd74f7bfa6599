import { existsSync, rmSync, writeFileSync } from "node:fs";

/**
 * A service for tests of the supervisor:
 * `fake-service.ts PORT [slow | never-ready | filling | broken | fails-once FILE]`. Says what `FAKE_SETTINGS` and
 * `FAKE_OWN` are. One that is filling is ready once `/fill` was asked for.
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
let isFilled = behaviour !== "filling";
Bun.serve({
  port: Number(port),
  hostname: "127.0.0.1",
  fetch: (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/fill") isFilled = true;
    if (pathname === "/readyz" && !isFilled) return Response.json({ deps: { indexes: "fail" } }, { status: 503 });
    return new Response(`${process.env.FAKE_SETTINGS} ${process.env.FAKE_OWN}`, {
      status: performance.now() < readyAt ? 503 : 200,
    });
  },
});

process.on("SIGTERM", () => {
  process.stdout.write("bye\n");
  process.exit(0);
});
