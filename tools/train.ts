/**
 * `bun run train MODEL`: trains a shipped model anew from named data sets, in Python (nlp/training/README.md says what
 * has to be installed).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath, URL } from "node:url";

/** The Python modules that make each model, one after the other. */
const MODELS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  pieces: [["isnad_base"]],
  embed: [["isnad_embed", "--fresh"], ["isnad_embed.distil"]],
  entities: [["isnad_ner"], ["isnad_nested.teacher"], ["isnad_nested"]],
  checkworthiness: [["isnad_check"]],
  rerank: [["isnad_rerank"]],
  senses: [["isnad_senses"]],
};

const [name = "", ...more] = process.argv.slice(2);
const steps = MODELS[name];
if (steps === undefined) {
  process.stderr.write(`usage: bun run train ${Object.keys(MODELS).join("|")} [options of its module]\n`);
  process.exit(2);
}
const cwd = fileURLToPath(new URL("../nlp/training", import.meta.url));
for (const step of steps) {
  const { status } = spawnSync("python3", ["-m", ...step, ...more], { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
