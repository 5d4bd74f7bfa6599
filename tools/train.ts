/**
 * `bun run train MODEL`: trains a shipped model again from named data sets, in Python (nlp/training/README.md says what
 * has to be installed).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { PYTHON } from "./python.ts";

/** Weights of the teacher of nested entities, and how their tagger goes on from what it wrote before. */
const TEACHER = "out/entity-teacher.pt";
const AGAIN =
  "--start ../models/tagger-ar-en --share 0 --visits 1 --arabic 0 --english 0 --newsfane 0 --senses 0 --rate 1e-4";

/** Says where the smaller tagger stands before it goes on, and how it does, twice. */
const SLIM = "out/slim/tagger-ar-en";
const LATER = "out/slim-2/tagger-ar-en";
const MORE = "--seed 12 --copies 1 --visits 1 --articles 2000 --senses 500 --seconds 960 --rate 2e-4 --round-from 0";
const LONG_RUN =
  "--seed 5 --both --copies 4 --wojood 2 --visits 1 --articles 5000 --fane 0.35 --seconds 3500 --round-from 0.35";

const split = (command: string): string[] => command.split(" ");

/** The Python modules that make each model, one after the other. */
const MODELS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  pieces: [["isnad_base"]],
  embed: [["isnad_embed", "--fresh"], ["isnad_embed.distil"]],
  entities: [
    ["isnad_ner"],
    ["isnad_nested.teacher"],
    ["isnad_nested"],
    split(`isnad_nested.teacher --start ${TEACHER} --rounds 4 --rate 1.2e-4 --head-rate 5 --seconds 900`),
    split(`isnad_nested ${AGAIN} --copies 4 --articles 700 --seconds 840`),
    split(`isnad_nested ${AGAIN} --copies 3 --articles 400 --seconds 590 --runs 2`),
    split(`isnad_nested.slim --start ../models/tagger-ar-en --folder ${SLIM}`),
    split(`isnad_nested.slim --start ../models/tagger-ar-en --go-on ${SLIM} --folder ${LATER} ${MORE}`),
    split(`isnad_nested.slim --start ../models/tagger-ar-en --go-on ${LATER} ${LONG_RUN}`),
  ],
  checkworthiness: [
    split("isnad_check --fresh"),
    split("isnad_check --go-on --fresh --epochs 2 --each 2500 3500 --rate 5e-5 --keep 0.3"),
    split("isnad_news.speech --fresh"),
    split("isnad_news --fresh"),
  ],
  rerank: [["isnad_rerank"]],
  reader: [split("isnad_reader --seconds 600"), split("isnad_reader --news --seconds 1000 --seed 5 --rate 1e-4")],
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
  const { status } = spawnSync(PYTHON, ["-m", ...step, ...more], { cwd, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
