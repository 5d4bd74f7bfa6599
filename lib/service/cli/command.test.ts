import { expect, test } from "bun:test";
import { defineCommand, help, parse, UsageError } from "./command.ts";

const command = defineCommand({
  name: "x",
  summary: "Does x.",
  positionals: { usage: "A [B]", min: 1, max: 2 },
  options: {
    dry: { kind: "flag", help: "only say what would be done" },
    name: { kind: "text", value: "NAME", help: "a name" },
    mode: { kind: "text", value: "MODE", help: "how", default: "fast" },
    tag: { kind: "list", value: "TAG", help: "a tag" },
    "max-size": { kind: "number", value: "N", help: "how much", default: 5, min: 0, max: 10 },
  },
  run: async () => 0,
});

test("without options each has its default", () => {
  expect(parse(command, ["a"])).toEqual({
    values: { dry: false, name: undefined, mode: "fast", tag: [], "max-size": 5 },
    positionals: ["a"],
    json: false,
    help: false,
  });
});

test("values may follow an equals sign or a space, and may be empty or look like options", () => {
  const { values } = parse(command, ["--name=", "--mode", "slow", "--tag=--x", "--tag", "y", "--max-size=0", "a"]);
  expect(values).toEqual({ dry: false, name: "", mode: "slow", tag: ["--x", "y"], "max-size": 0 });
});

test("after two dashes everything is a positional", () => {
  expect(parse(command, ["--", "--dry", "b"])).toMatchObject({ values: { dry: false }, positionals: ["--dry", "b"] });
});

test.each([
  [["a", "--max-size=11"], "from 0 to 10"],
  [["a", "--max-size=-1"], "from 0 to 10"],
  [["a", "--max-size=1e0"], "from 0 to 10"],
  [["a", "--max-size="], "from 0 to 10"],
  [["a", "--dry=yes"], "dry"],
  [["a", "--unknown"], "unknown"],
  [["a", "b", "c"], "unexpected argument: c"],
  [[], "A [B] is missing"],
])("%p is wrong usage", (argv, message) => {
  expect(() => parse(command, argv)).toThrow(UsageError);
  expect(() => parse(command, argv)).toThrow(message);
});

test("who asks for help need not give what is missing", () => {
  expect(parse(command, ["--help"]).help).toBe(true);
});

test("the help lines its options up and tells their defaults", () => {
  const text = help(command);
  expect(text).toContain("Usage: bun run x [options] A [B]\n");
  expect(text).toContain("  --dry         only say what would be done\n");
  expect(text).toContain("  --mode=MODE   how (default fast)\n");
  expect(text).toContain("  --max-size=N  how much (default 5)\n");
  expect(text).toContain("  --name=NAME   a name\n");
});

test("a command without positionals has none in its usage", () => {
  expect(help({ ...command, positionals: { usage: "", min: 0, max: 0 } })).toContain("Usage: bun run x [options]\n");
});
