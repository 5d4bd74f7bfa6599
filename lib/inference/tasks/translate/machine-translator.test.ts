import { afterAll, expect, test } from "bun:test";
import { openRegistry } from "../../models/registry.ts";
import { createMachineTranslator } from "./machine-translator.ts";
import { translationFolder, TRANSLATED } from "./testing.ts";

const folder = translationFolder();
const translator = await createMachineTranslator({
  registry: openRegistry({ dirs: [folder.root] }),
  model: "tiny",
  threads: 1,
});
afterAll(async () => {
  await translator.close();
  folder.remove();
});

const expected = (text: string) => TRANSLATED.find((each) => each.text === text && each.beams === 4)?.translation;

test("a text is translated sentence by sentence, and calls at the same time do not mix", async () => {
  const [ship, salt] = ["the old ship", "wind in the port of salt"];
  const [one, two] = await Promise.all([translator.translate(`${ship}\n\n${salt}`), translator.translate(salt)]);
  expect(one).toBe(`${expected(ship)}\n\n${expected(salt)}`);
  expect(two).toBe(expected(salt) ?? "");
  expect(translator).toMatchObject({ modelId: "tiny@1", from: "en", to: "ar" });
});

test("a caller that leaves is told so at once", async () => {
  const gone = new AbortController();
  const call = translator.translate("the old ship\n".repeat(500), gone.signal);
  gone.abort(new Error("gone"));
  expect(call).rejects.toThrow("gone");
  await call.catch(() => {});
});
