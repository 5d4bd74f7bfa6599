import { expect, test } from "bun:test";
import { fileURLToPath, URL } from "node:url";
import { startModelThread } from "./model-thread.ts";
import { openRegistry } from "../models/registry.ts";
import { EMBED_MODEL } from "../testing.ts";

const registry = openRegistry();
const data = { dir: registry.dir(EMBED_MODEL), card: registry.card(EMBED_MODEL), threads: 1 };
const worker = new URL("../tasks/embed/embed-worker.ts", import.meta.url);
const start = (changes: object = {}) =>
  startModelThread<string, Float32Array>({ worker, data: { ...data, ...changes }, model: EMBED_MODEL });

test("a thread answers requests in the order in which they were sent", async () => {
  const thread = await start();
  const order: number[] = [];
  await Promise.all([0, 1, 2, 3].map((i) => thread.run([`text ${i}`]).then(() => order.push(i))));
  expect(order).toEqual([0, 1, 2, 3]);
  await thread.close();
});

test("a thread finishes what it was sent before it ends", async () => {
  const thread = await start();
  const answer = thread.run(new Array<string>(200).fill("an article about the weather"));
  await thread.close();
  expect((await answer).length).toBe(200 * (data.card.dims ?? 0));
});

test("a thread that has ended says so", async () => {
  const thread = await start();
  await thread.close();
  expect(thread.alive()).toBe(false);
  await expect(thread.run(["late"])).rejects.toMatchObject({ code: "worker-failed", model: EMBED_MODEL });
  await thread.close();
});

test("a model that cannot be loaded leaves no thread behind", async () => {
  const starting = start({ dir: "/nowhere" });
  await expect(starting).rejects.toMatchObject({ code: "model-missing" });
});

test("an idle thread does not keep its process alive", async () => {
  const index = fileURLToPath(new URL("../index.ts", import.meta.url));
  const script = `
    import { createEmbedder, openRegistry } from ${JSON.stringify(index)};
    const embedder = await createEmbedder({ registry: openRegistry() });
    await embedder.embed(["text"], "query");
    process.stdout.write("answered");
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("answered");
});
