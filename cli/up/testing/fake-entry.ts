/** A service for tests of `up`: listens on the port in `FAKE_PORT`, and tells on every path what its environment is. */
const server = Bun.serve({
  port: Number(process.env.FAKE_PORT),
  hostname: "127.0.0.1",
  fetch: () =>
    Response.json({
      pid: process.pid,
      supervised: process.env.ISNAD_SUPERVISED,
      port: process.env.PORT ?? null,
      dataDir: process.env.DATA_DIR,
    }),
});

async function stop(): Promise<void> {
  await server.stop(true);
  process.exit(0);
}
process.on("SIGTERM", stop);
process.stdin.on("end", stop);
process.stdin.resume();
