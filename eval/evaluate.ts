import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/cli";
import { dataFolder } from "./embed/data.ts";
import { corpusHash } from "./corpus.ts";
import { type Figure, raiseFloors, readFloors, underFloors, writeFloors } from "./floors.ts";
import { referenceOf } from "./reference.ts";
import type { EvalSet, EvalTask } from "./task.ts";
import { checkworthiness } from "./tasks/checkworthiness.ts";
import { embed } from "./tasks/embed.ts";
import { entities } from "./tasks/entities.ts";
import { extraction } from "./tasks/extraction.ts";
import { feeds } from "./tasks/feeds.ts";
import { hybrid } from "./tasks/hybrid.ts";
import { keyword } from "./tasks/keyword.ts";
import { knownItem } from "./tasks/known-item.ts";
import { rerank } from "./tasks/rerank.ts";
import { summaries } from "./tasks/summaries.ts";

const TASKS: readonly EvalTask[] = [
  keyword,
  embed,
  hybrid,
  knownItem,
  rerank,
  checkworthiness,
  entities,
  extraction,
  feeds,
  summaries,
];
const FLOORS = fileURLToPath(new URL("floors.json", import.meta.url));

/** `eval`. */
export const evaluate = defineCommand({
  name: "eval",
  summary: "Measures search and models on the public sets, or on one of your own, beside published scores.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    task: { kind: "text", value: "TASK", help: TASKS.map(({ name }) => name).join(", ") },
    data: { kind: "text", value: "PATH", help: "a set of your own, for --task" },
    lang: { kind: "text", value: "ar|en", help: "its language, where the task asks for one" },
    out: { kind: "text", value: "FILE", help: "write one prediction a line, in the order of the set" },
    update: { kind: "flag", help: "raise the pinned floors to what was measured; never lowers one" },
  },
  details: `Formats of --data:\n${TASKS.map(({ name, formats }) => `  ${name}: ${formats}`).join("\n")}
Without --data the sets of the data folder (ISNAD_SHARED, else ../shared) are measured, and exit code 1 says that a figure is
below its pinned floor.`,
  async run({ values }, { env, stdout, stderr, json }) {
    const { task: name, data: path, out } = values;
    if (name !== undefined && !TASKS.some((task) => task.name === name))
      throw new UsageError(`--task: no task ${name}`);
    if (path !== undefined && name === undefined) throw new UsageError("--data needs --task");
    if (out !== undefined && path === undefined) throw new UsageError("--out needs --data");
    const lang = (["ar", "en"] as const).find((each) => each === values.lang);
    if (values.lang !== undefined && lang === undefined) throw new UsageError("--lang: ar or en");
    if (path !== undefined && !existsSync(path)) throw new CommandError(`${path}: there is no such file or folder`);
    const shared = dataFolder(env);
    if (path === undefined && shared === undefined) {
      stdout.write(json ? "[]\n" : "nothing to measure: no --data, and no data folder at ISNAD_SHARED or ../shared\n");
      return 0;
    }
    const tasks = name === undefined ? TASKS : TASKS.filter((task) => task.name === name);
    const own: EvalSet | undefined =
      path === undefined ? undefined : { set: path, path, ...(lang !== undefined && { lang }) };
    const figures: Figure[] = [];
    const lines: object[] = [];
    for (const task of tasks) {
      const loaded = await task.load();
      try {
        for (const set of own === undefined ? task.sets(shared ?? "") : [own]) {
          const measured = await loaded.measure(set);
          const corpus = own === undefined ? corpusHash(set.path) : "";
          for (const [metric, value] of Object.entries(measured.figures)) {
            const reference = referenceOf(task.name, set.set, metric);
            figures.push({ task: task.name, set: set.set, metric, value, corpus });
            lines.push({
              task: task.name,
              set: set.set,
              size: measured.size,
              metric,
              value,
              ...(reference && { reference }),
            });
            if (!json) stdout.write(`${row(task, set, measured.size, metric, value)}\n`);
          }
          if (out !== undefined) writeFileSync(out, measured.predictions.map((line) => `${line}\n`).join(""));
        }
      } finally {
        await loaded.close();
      }
    }
    if (json) writeJson(stdout, lines);
    if (own !== undefined) return 0;
    const pinned = readFloors(FLOORS);
    if (values.update) writeFloors(FLOORS, raiseFloors(figures, pinned));
    const problems = values.update ? [] : underFloors(figures, pinned);
    for (const problem of problems) stderr.write(`${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  },
});

/** One line of the table. */
function row(task: EvalTask, { set }: EvalSet, size: number, metric: string, value: number): string {
  const reference = referenceOf(task.name, set, metric);
  const beside = reference === undefined ? "" : `  ${reference.value.toFixed(3)}  ${reference.by}`;
  const figure = value.toFixed(4).padStart(8);
  return `${task.name.padEnd(17)}${set.padEnd(32)}${String(size).padStart(6)}  ${metric.padEnd(12)}${figure}${beside}`;
}
