/** `bun eval/checkworthiness/main.ts [--data PATH] [--lang ar|en] [--out FILE] [--json]`: the classifier on labelled sets. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createClassifier, openRegistry } from "@isnad/lib/inference";
import { dataFolder } from "../embed/data.ts";
import { type Evaluation, evaluateCheckworthiness } from "./evaluate.ts";

const SETS = [
  { name: "CheckThat! 2024 en dev", path: "en/ct24_dev.tsv" },
  { name: "CheckThat! 2024 en dev-test", path: "en/ct24_dev-test.tsv" },
  { name: "CheckThat! 2024 ar dev", path: "ar/ct24_dev.tsv" },
  { name: "CheckThat! 2024 ar dev-test", path: "ar/ct24_dev-test.tsv" },
  { name: "debates 2019 en", path: "debates_2019/data/training" },
  { name: "debates 2018 en", path: "debates_2018/english" },
  { name: "debates 2018 ar", path: "debates_2018/arabic" },
];

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    lang: { type: "string" },
    out: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const lang = values.lang === "ar" || values.lang === "en" ? values.lang : undefined;
const shared = dataFolder(process.env);
if (values.data === undefined && shared === undefined) {
  process.stdout.write("nothing to measure: no --data, and no data folder at ISNAD_SHARED or ../shared\n");
  process.exit(0);
}

const figure = (value: number | undefined): string => (value ?? Number.NaN).toFixed(3).padStart(7);
const line = (e: Evaluation): string =>
  `${e.set.padEnd(30)}${e.lang}${String(e.sentences).padStart(7)}${String(e.positive).padStart(6)}` +
  [
    e.precision,
    e.recall,
    e.f1,
    e.accuracy,
    e.averagePrecision,
    e.map,
    e.ece,
    e.eceDebiased,
    e.eceAdaptive,
    e.eceAtTrainShare,
  ]
    .map(figure)
    .join("");

const classifier = await createClassifier({ registry: openRegistry(), maxQueue: 100_000, timeoutMs: 600_000 });
if (!values.json) {
  const heads = ["P", "R", "F1", "acc", "AP", "MAP", "ECE", "-chance", "adapt.", "share"];
  process.stdout.write(
    `${classifier.modelId.padEnd(30)}  ${"n".padStart(7)}${"yes".padStart(6)}${heads.map((head) => head.padStart(7)).join("")}\n`,
  );
}
const sets = values.data === undefined ? SETS : [{ name: values.data, path: values.data }];
for (const { name, path } of sets) {
  const at = values.data === undefined ? `${shared}/checkworthiness/${path}` : path;
  const { evaluation, predictions } = await evaluateCheckworthiness(classifier, at, {
    name,
    ...(lang !== undefined && { lang }),
  });
  process.stdout.write(`${values.json ? JSON.stringify(evaluation) : line(evaluation)}\n`);
  if (values.out !== undefined && values.data !== undefined) {
    writeFileSync(values.out, predictions.map((one) => `${one.id}\t${one.score}\n`).join(""));
  }
}
await classifier.close();
