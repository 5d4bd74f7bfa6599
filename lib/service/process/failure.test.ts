import { expect, test } from "bun:test";
import { ConfigError } from "../config/mod.ts";
import { explainFailure } from "./failure.ts";

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: it failed`), { code, path });

test("a full disk is named, wherever the error says so", () => {
  expect(explainFailure(system("ENOSPC", "/data/x"))).toBe("the disk is full (/data/x): free space and start again");
  expect(explainFailure(new Error("insert failed", { cause: system("53100") }))).toBe(
    "the disk is full: free space and start again",
  );
  expect(explainFailure(Object.assign(new Error("full"), { code: "ERR_SQLITE_ERROR", errcode: 13 }))).toStartWith(
    "the disk is full",
  );
});

test("a folder that cannot be written is named", () => {
  for (const code of ["EROFS", "EACCES", "EPERM"]) {
    expect(explainFailure(system(code, "/data"))).toBe("/data cannot be written: check DATA_DIR and its permissions");
  }
});

test("a wrong configuration is one line that lists every variable", () => {
  const error = new ConfigError([
    { name: "A", rule: "must be set" },
    { name: "B", rule: "must be a number" },
  ]);
  expect(explainFailure(error)).toBe("configuration: A must be set; B must be a number");
});

test("any other error is one line", () => {
  expect(explainFailure(new Error("first\n  second"))).toBe("first second");
  expect(explainFailure(new TypeError(""))).toBe("TypeError");
  expect(explainFailure("text")).toBe("text");
});

test("what failed first counts, not what failed while cleaning up after it", async () => {
  const failing = async () => {
    await using opened = new AsyncDisposableStack();
    opened.defer(() => Promise.reject(new Error("second")));
    throw system("ENOSPC", "/data/x");
  };
  const error = await failing().catch((thrown: unknown) => thrown);
  expect(explainFailure(error)).toStartWith("the disk is full (/data/x)");
});
