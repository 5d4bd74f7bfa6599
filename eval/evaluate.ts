import { existsSync, writeFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { CommandError, defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { GENRES } from "@isnad/lib/models";
import { dataFolder } from "./retrieval-sets.ts";
import { raiseFloors, readFloors, underFloors, writeFloors } from "./floors.ts";
import { type Line, measureInProcesses, measureSets } from "./processes.ts";
import type { EvalSet, EvalTask } from "./task.ts";
import { answersNews } from "./tasks/answers-news.ts";
import { answers } from "./tasks/answers.ts";
import { cases } from "./tasks/cases.ts";
import { checkworthiness } from "./tasks/checkworthiness.ts";
import { copies } from "./tasks/copies.ts";
import { claimsMatch } from "./tasks/claims-match.ts";
import { cross } from "./tasks/cross.ts";
import { dialect } from "./tasks/dialect.ts";
import { embed } from "./tasks/embed.ts";
import { entities } from "./tasks/entities.ts";
import { extraction } from "./tasks/extraction.ts";
import { floor } from "./tasks/floor.ts";
import { feeds } from "./tasks/feeds.ts";
import { glossary } from "./tasks/glossary.ts";
import { hybrid } from "./tasks/hybrid.ts";
import { keyword } from "./tasks/keyword.ts";
import { knownItem } from "./tasks/known-item.ts";
import { morph } from "./tasks/morph.ts";
import { nerNested } from "./tasks/ner-nested.ts";
import { relations } from "./tasks/relations.ts";
import { rerank } from "./tasks/rerank.ts";
import { senseCoverage, wsd } from "./tasks/wsd.ts";
import { stories } from "./tasks/stories.ts";
import { summaries } from "./tasks/summaries.ts";

/** In the order in which processes take them: the costliest first, so that all end together. */
const TASKS: readonly EvalTask[] = [
  rerank,
  answers,
  answersNews,
  checkworthiness,
  claimsMatch,
  hybrid,
  knownItem,
  floor,
  stories,
  extraction,
  entities,
  nerNested,
  embed,
  copies,
  keyword,
  cross,
  morph,
  wsd,
  senseCoverage,
  relations,
  dialect,
  summaries,
  glossary,
  feeds,
  cases,
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
    genre: { kind: "text", value: GENRES.join("|"), help: "what its sentences are from, for checkworthiness" },
    out: { kind: "text", value: "FILE", help: "write one prediction a line, in the order of the set" },
    full: { kind: "flag", help: "every question of the sets that are sampled; takes minutes more" },
    update: { kind: "flag", help: "raise the pinned floors to what was measured; never lowers one" },
  },
  details: `Formats of --data:\n${TASKS.map(({ name, formats }) => `  ${name}: ${formats}`).join("\n")}
Without --data the sets of the data folder (ISNAD_SHARED, else ../shared) are measured, and exit code 1 says that a figure is
below its pinned floor.`,
  async run({ values }, { env, stdout, stderr, json, signal }) {
    const { task: name, data: path, out, full } = values;
    if (name !== undefined && !TASKS.some((task) => task.name === name))
      throw new UsageError(`--task: no task ${name}`);
    if (path !== undefined && name === undefined) throw new UsageError("--data needs --task");
    if (out !== undefined && path === undefined) throw new UsageError("--out needs --data");
    const lang = (["ar", "en"] as const).find((each) => each === values.lang);
    if (values.lang !== undefined && lang === undefined) throw new UsageError("--lang: ar or en");
    const genre = GENRES.find((each) => each === values.genre);
    if (values.genre !== undefined && genre === undefined) throw new UsageError(`--genre: ${GENRES.join(" or ")}`);
    if (path !== undefined && !existsSync(path)) throw new CommandError(`${path}: there is no such file or folder`);
    const shared = dataFolder(env);
    if (path === undefined && shared === undefined) {
      stdout.write(json ? "[]\n" : "nothing to measure: no --data, and no data folder at ISNAD_SHARED or ../shared\n");
      return 0;
    }
    const print = (line: Line): void => {
      if (!json) stdout.write(`${row(line)}\n`);
    };
    const task = TASKS.find((each) => each.name === name);
    if (task !== undefined && path !== undefined) {
      const own: EvalSet = {
        set: path,
        path,
        ...(lang !== undefined && { lang }),
        ...(genre !== undefined && { genre }),
      };
      const { lines, predictions } = await measureSets(task, [own], { full, print }).catch(unreadable(path, task));
      if (json) writeJson(stdout, lines);
      if (out !== undefined) writeFileSync(out, predictions.map((line) => `${line}\n`).join(""));
      return 0;
    }
    const sets = task?.sets(shared ?? "", { full }) ?? [];
    if (task !== undefined && sets.length === 0) stderr.write(`${task.name}: skipped, ${shared} has no set of it\n`);
    const lines =
      task === undefined
        ? await measureInProcesses(TASKS, { full, print, env, signal })
        : (await measureSets(task, sets, { full, print })).lines;
    if (json) writeJson(stdout, lines);
    const pinned = readFloors(FLOORS);
    if (values.update) writeFloors(FLOORS, raiseFloors(lines, pinned));
    const problems = values.update ? [] : underFloors(lines, pinned);
    for (const problem of problems) stderr.write(`${problem}\n`);
    return problems.length === 0 ? 0 : 1;
  },
});

/** An error of the file system, which says less than the formats that are read. @throws CommandError, else the error */
function unreadable(path: string, task: EvalTask): (error: unknown) => never {
  return (error) => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "EISDIR" && code !== "ENOTDIR") throw error;
    throw new CommandError(`${path}: cannot be read; ${task.name} reads ${task.formats}`, { cause: error });
  };
}

/** One line of the table. */
function row({ task, set, size, metric, value, reference }: Line): string {
  const beside = reference === undefined ? "" : `  ${reference.value.toFixed(3)}  ${reference.by}`;
  const figure = value.toFixed(4).padStart(8);
  return `${task.padEnd(17)}${set.padEnd(32)}${String(size).padStart(6)}  ${metric.padEnd(12)}${figure}${beside}`;
}
