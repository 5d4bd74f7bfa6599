import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { modelCard, modelId } from "./card.ts";

const REPOSITORY = new URL("../../../", import.meta.url);

const card = {
  name: "tiny",
  revision: "1",
  task: "embed",
  languages: ["ar"],
  description: "a model",
  licence: "Apache-2.0",
  dims: 4,
  files: { "model.onnx": { sha256: "0".repeat(64), bytes: 1 } },
};

test("a card needs no more than what names and checks the model", () => {
  expect(modelCard.safeParse(card).success).toBe(true);
});

test("a file name that leaves the model's folder is refused", () => {
  const files = { "../model.onnx": { sha256: "0".repeat(64), bytes: 1 } };
  expect(modelCard.safeParse({ ...card, files }).success).toBe(false);
});

test("a checksum that is no SHA-256 is refused", () => {
  const files = { "model.onnx": { sha256: "abc", bytes: 1 } };
  expect(modelCard.safeParse({ ...card, files }).success).toBe(false);
});

test("an unknown task is refused", () => {
  expect(modelCard.safeParse({ ...card, task: "paint" }).success).toBe(false);
});

test("the id of a model changes with its revision", () => {
  expect(modelId({ name: "tiny", revision: "2" })).toBe("tiny@2");
});

test("a shipped model that starts from published weights says from which, with the package's bytes", () => {
  const listed = readFileSync(new URL("nlp/training/weights.sha256", REPOSITORY), "utf8");
  const notice = readFileSync(new URL("NOTICE", REPOSITORY), "utf8");
  const models = new URL("nlp/models/", REPOSITORY);
  for (const name of readdirSync(models)) {
    const read = modelCard.parse(JSON.parse(readFileSync(new URL(`${name}/model.json`, models), "utf8")));
    const named = (read.training_data ?? []).filter((set) => set.name.endsWith(" (weights)")).map((set) => set.name);
    const told = read.starting_weights ?? [];
    expect([name, ...told.map((each) => `${each.name} (weights)`)]).toEqual([name, ...named]);
    for (const each of told) expect(notice).toContain(`${each.package} ${each.version}`);
    for (const [file, digest] of told.flatMap(({ files }) => Object.entries(files))) {
      expect(listed).toContain(`${digest}  ${file}`);
    }
  }
});
