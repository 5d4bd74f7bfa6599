import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyOfModel, EMBED_MODEL, flipBit, modelFolder } from "../testing.ts";
import {
  type ModelCard,
  modelCard,
  modelId,
  openRegistry,
  readVerified,
  SHIPPED_MODELS,
  verifyFile,
} from "./registry.ts";

describe("registry", () => {
  const card = {
    name: "tiny",
    revision: "1",
    task: "rerank",
    languages: ["ar"],
    description: "",
    licence: "Apache-2.0",
    files: {},
  };

  test("the shipped embedding model is whole", async () => {
    const registry = openRegistry();
    await registry.verify(registry.default("embed"));
  });

  test("the shipped models have cards that name licence and training data", () => {
    for (const entry of openRegistry({ dirs: [SHIPPED_MODELS] }).list()) {
      expect(entry.problem).toBeUndefined();
      expect(entry.card?.licence).toBeString();
      expect(entry.card?.training_data?.length).toBeGreaterThan(0);
    }
  });

  test("the shipped models take no more than 128 MB", () => {
    const sizes = openRegistry({ dirs: [SHIPPED_MODELS] })
      .list()
      .flatMap((entry) => Object.values(entry.card?.files ?? {}).map((file) => file.bytes));
    expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(128_000_000);
  });

  test("a folder that does not exist holds no models", () => {
    expect(openRegistry({ dirs: [join(SHIPPED_MODELS, "none")] }).list()).toEqual([]);
  });

  test("an unknown model is named in the error", () => {
    expect(() => openRegistry().card("nobody")).toThrow(
      expect.objectContaining({ code: "model-unknown", model: "nobody" }),
    );
  });

  test("a task without a model is named in the error", () => {
    expect(() => openRegistry({ dirs: [] }).default("rerank")).toThrow(/rerank/);
  });

  test("cards that cannot be used are named where a task is without a model", () => {
    const broken = modelFolder("broken", "{");
    try {
      expect(() => openRegistry({ dirs: [broken.root] }).default("embed")).toThrow(/not usable: broken: model\.json/);
    } finally {
      broken.remove();
    }
  });

  test("a broken card spoils its own model only", () => {
    const broken = modelFolder("broken", "{");
    const sound = modelFolder("tiny", card);
    try {
      const registry = openRegistry({ dirs: [broken.root, sound.root] });
      expect(registry.list().map((entry) => [entry.name, entry.problem === undefined])).toEqual([
        ["broken", false],
        ["tiny", true],
      ]);
      expect(() => registry.card("broken")).toThrow(expect.objectContaining({ code: "model-invalid" }));
      expect(registry.default("rerank")).toBe("tiny");
    } finally {
      broken.remove();
      sound.remove();
    }
  });

  test("a link to a model's folder is one; a link that leads nowhere is named, a link to a file passed over", () => {
    const linked = modelFolder("tiny", card);
    const links = modelFolder("other", card);
    try {
      symlinkSync(linked.dir, join(links.root, "tiny"));
      symlinkSync(join(links.root, "gone"), join(links.root, "dangling"));
      writeFileSync(join(linked.root, "notes"), "");
      symlinkSync(join(linked.root, "notes"), join(links.root, "notes"));
      const registry = openRegistry({ dirs: [links.root] });
      expect(registry.list().map(({ name }) => name)).toEqual(["dangling", "other", "tiny"]);
      expect(registry.card("tiny")).toMatchObject(card);
      expect(() => registry.card("dangling")).toThrow(expect.objectContaining({ code: "model-invalid" }));
    } finally {
      linked.remove();
      links.remove();
    }
  });

  test("a card in the folder of another model is refused", () => {
    const folder = modelFolder("other", card);
    try {
      expect(() => openRegistry({ dirs: [folder.root] }).card("other")).toThrow(/card of tiny/);
    } finally {
      folder.remove();
    }
  });

  test("a model of the data folder stands before a shipped one of the same name", () => {
    const copy = copyOfModel();
    try {
      const registry = openRegistry({ dirs: [SHIPPED_MODELS, copy.root] });
      expect(registry.dir(EMBED_MODEL)).toBe(copy.dir);
      expect(registry.list().filter((entry) => entry.name === EMBED_MODEL)).toHaveLength(1);
    } finally {
      copy.remove();
    }
  });

  const damage: Record<string, [(path: string) => void, string]> = {
    missing: [(path) => rmSync(path), "model-missing"],
    truncated: [(path) => truncateSync(path, 1000), "model-altered"],
    altered: [flipBit, "model-altered"],
  };
  for (const [name, [spoil, code]] of Object.entries(damage)) {
    test(`verify() names a ${name} file`, async () => {
      const copy = copyOfModel();
      try {
        spoil(join(copy.dir, "model.onnx"));
        const registry = openRegistry({ dirs: [copy.root] });
        await expect(registry.verify(EMBED_MODEL)).rejects.toMatchObject({
          code,
          message: expect.stringContaining("model.onnx"),
        });
      } finally {
        copy.remove();
      }
    });
  }
});

describe("verified file", () => {
  const bytes = new Uint8Array(100_000).map((_, i) => i % 251);
  const card: ModelCard = {
    name: "tiny",
    revision: "1",
    task: "embed",
    languages: ["ar"],
    description: "",
    licence: "Apache-2.0",
    files: { "model.onnx": { sha256: createHash("sha256").update(bytes).digest("hex"), bytes: bytes.length } },
  };
  let folder = modelFolder("tiny", card);
  const path = (): string => join(folder.dir, "model.onnx");

  beforeEach(() => {
    folder = modelFolder("tiny", card);
    writeFileSync(path(), bytes);
  });
  afterEach(() => folder.remove());

  test("a whole file is read", async () => {
    expect(new Uint8Array(await readVerified(folder.dir, card, "model.onnx"))).toEqual(bytes);
    await verifyFile(folder.dir, card, "model.onnx");
  });

  for (const [name, check] of Object.entries({ readVerified, verifyFile })) {
    test(`${name}() names a missing file`, async () => {
      rmSync(path());
      await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({
        code: "model-missing",
        model: "tiny",
        message: expect.stringContaining("model.onnx"),
      });
    });

    test(`${name}() names a truncated file with its length`, async () => {
      truncateSync(path(), 5000);
      await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({
        code: "model-altered",
        message: expect.stringContaining("5000 bytes, not 100000"),
      });
    });

    test(`${name}() finds one changed bit`, async () => {
      flipBit(path());
      await expect(check(folder.dir, card, "model.onnx")).rejects.toMatchObject({ code: "model-altered" });
    });

    test(`${name}() refuses a file that the card does not name`, async () => {
      await expect(check(folder.dir, card, "other.bin")).rejects.toMatchObject({ code: "model-invalid" });
    });
  }
});

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
