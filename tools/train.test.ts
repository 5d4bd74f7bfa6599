import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "isnad-train-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands for Python: notes where it is started and with what, and fails when it is told to. */
const python = join(folder, "python");
const notes = join(folder, "notes");
writeFileSync(python, `#!/bin/sh\necho "$PWD: $@" >> ${notes}\ncase "$*" in *" --fail"*) exit 7;; esac\n`);
chmodSync(python, 0o755);

/** Returns how `bun run train` ended, what it said, and what it started. */
function train(...args: string[]) {
  rmSync(notes, { force: true });
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "train.ts"), ...args], {
    ...{ encoding: "utf8", env: { ...process.env, PYTHON: python } },
  });
  const started = existsSync(notes) ? readFileSync(notes, "utf8").trimEnd().split("\n") : [];
  return { status, stderr, started };
}

test("the steps of a model run one after another in the folder of the training, with the options that are given", () => {
  const { status, started } = train("reader", "--threads", "2");
  expect(status).toBe(0);
  const training = join(import.meta.dirname, "../nlp/training");
  expect(started).toEqual([
    `${training}: -m isnad_reader --seconds 600 --threads 2`,
    `${training}: -m isnad_reader --news --seconds 1000 --seed 5 --rate 1e-4 --threads 2`,
  ]);
});

test("a step that fails is the last one, and its status that of the command", () => {
  const { status, started } = train("checkworthiness", "--fail");
  expect([status, started.length]).toEqual([7, 1]);
});

test("a model that is not there is told with those that are, and nothing is started", () => {
  for (const name of [[], ["nothing"], [""], ["--help"]]) {
    const { status, stderr, started } = train(...name);
    expect([status, started]).toEqual([2, []]);
    expect(stderr).toMatch(/^usage: bun run train \S*rerank\S* \[options/);
  }
});
