import { expect, test } from "bun:test";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  bar,
  CommandError,
  createProgress,
  defineCommand,
  explain,
  help,
  parse,
  runCommand,
  UsageError,
  writeJson,
} from "./command.ts";
import { captureIo } from "./testing.ts";

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

const greet = defineCommand({
  name: "greet",
  summary: "Greets people.",
  positionals: { usage: "NAME…", min: 1, max: Number.POSITIVE_INFINITY },
  options: {
    loud: { kind: "flag", help: "in capitals" },
    times: { kind: "number", value: "N", help: "how often", default: 1, min: 1, max: 9 },
    word: { kind: "text", value: "WORD", help: "the greeting", default: "hello" },
    from: { kind: "text", value: "NAME", help: "who greets" },
    also: { kind: "list", value: "NAME", help: "greeted too" },
  },
  details: "Nothing more to say.",
  async run({ values, positionals }, { stdout, json }) {
    if (positionals.includes("nobody")) throw new CommandError("nobody is here", { cause: new Error("a stack") });
    if (positionals.includes("crash")) throw new TypeError("broken\n pipe", { cause: new Error("ECONNRESET") });
    const names = [...positionals, ...values.also].join(" ");
    const line = `${values.word} ${names}${values.from === undefined ? "" : ` from ${values.from}`}`;
    if (json) writeJson(stdout, { line });
    else for (let i = 0; i < values.times; i++) stdout.write(`${values.loud ? line.toUpperCase() : line}\n`);
    return 0;
  },
});

test("options come typed, with their defaults, and repeatable ones as a list", async () => {
  const { io, out } = captureIo();
  expect(await runCommand(greet, ["sami", "--also", "huda", "--also=omar", "--times", "2"], io)).toBe(0);
  expect(out()).toBe("hello sami huda omar\nhello sami huda omar\n");
});

test("flags and texts are taken after the positionals too", async () => {
  const { io, out } = captureIo();
  expect(await runCommand(greet, ["sami", "--loud", "--word=salaam", "--from", "huda"], io)).toBe(0);
  expect(out()).toBe("SALAAM SAMI FROM HUDA\n");
});

test("--help prints summary, usage, every option and the exit codes, and runs nothing", async () => {
  const { io, out, err } = captureIo();
  expect(await runCommand(greet, ["--help"], io)).toBe(0);
  for (const part of ["Greets people.", "Usage: bun run greet [options] NAME…", "--times=N", "(default 1)"]) {
    expect(out()).toContain(part);
  }
  for (const part of ["--json", "--help", "(may be repeated)", "Nothing more to say.", "2 wrong usage"]) {
    expect(out()).toContain(part);
  }
  expect(
    Math.max(
      ...out()
        .split("\n")
        .map((line) => line.length),
    ),
  ).toBeLessThanOrEqual(100);
  expect(err()).toBe("");
});

test.each([
  ["an unknown option", ["sami", "--quiet"], "--quiet"],
  ["a missing positional", [], "NAME… is missing"],
  ["a number out of bounds", ["sami", "--times=10"], "--times takes a whole number from 1 to 9"],
  ["a number that is none", ["sami", "--times=many"], "--times takes a whole number from 1 to 9"],
  ["an option without its argument", ["sami", "--word"], "--word"],
])("%s is wrong usage: exit code 2, one line, and where the help is", async (_name, argv, message) => {
  const { io, out, err } = captureIo();
  expect(await runCommand(greet, argv, io)).toBe(2);
  expect(err()).toContain(message);
  expect(err().trimEnd().split("\n").length).toBe(2);
  expect(err()).toContain("Try: bun run greet --help");
  expect(out()).toBe("");
});

test("more positionals than the command takes are wrong usage", async () => {
  const { io, err } = captureIo();
  const one = defineCommand({ ...greet, positionals: { usage: "NAME", min: 1, max: 1 } });
  expect(await runCommand(one, ["sami", "huda"], io)).toBe(2);
  expect(err()).toContain("unexpected argument: huda");
});

test("a failure is exit code 1 and one line; its cause is told unless the message explains itself", async () => {
  const told = captureIo();
  expect(await runCommand(greet, ["crash"], told.io)).toBe(1);
  expect(told.err()).toBe("greet: broken pipe (ECONNRESET)\n");
  const explained = captureIo();
  expect(await runCommand(greet, ["nobody"], explained.io)).toBe(1);
  expect(explained.err()).toBe("greet: nobody is here\n");
});

test("with --json standard output is one JSON value, also on failure", async () => {
  const good = captureIo();
  expect(await runCommand(greet, ["sami", "--json"], good.io)).toBe(0);
  expect(JSON.parse(good.out())).toEqual({ line: "hello sami" });
  const bad = captureIo();
  expect(await runCommand(greet, ["nobody", "--json"], bad.io)).toBe(1);
  expect(JSON.parse(bad.out())).toEqual({ error: { type: "CommandError", message: "nobody is here" } });
});

test("what was thrown is explained in one line, whatever it is", () => {
  expect(explain("plain")).toBe("plain");
  expect(explain(new Error(""))).toBe("Error");
  expect(explain(new Error("a: b", { cause: new Error("b") }))).toBe("a: b");
});

function terminal(columns = 80) {
  const written: string[] = [];
  return { sink: { write: (text: string) => written.push(text), isTTY: true, columns }, written };
}

test("nothing is drawn where there is no terminal", () => {
  const written: string[] = [];
  const progress = createProgress({ write: (text) => written.push(text), isTTY: false });
  progress.update(1, 2, "half");
  progress.clear();
  expect(written).toEqual([]);
});

test("the bar is redrawn in place at most ten times a second, and the last time in any case", () => {
  const { sink, written } = terminal();
  let time = 0;
  const progress = createProgress(sink, () => time);
  for (const [at, done] of [
    [0, 0],
    [50, 1],
    [120, 2],
    [130, 4],
  ] as const) {
    time = at;
    progress.update(done, 4, `${done} articles`);
  }
  expect(written.map((line) => line.match(/\d articles/)?.[0])).toEqual(["0 articles", "2 articles", "4 articles"]);
  expect(written.every((line) => line.startsWith("\r"))).toBe(true);
});

test("a line never reaches the last column, so that the terminal does not wrap it", () => {
  const { sink, written } = terminal(40);
  createProgress(sink).update(1, 2, "x".repeat(100));
  expect(written[0]?.replace("\r\u001B[2K", "").length).toBe(39);
});

test("clear empties the line once it has been drawn, and only then", () => {
  const { sink, written } = terminal();
  const progress = createProgress(sink);
  progress.clear();
  expect(written.length).toBe(0);
  progress.update(1, undefined, "some");
  progress.clear();
  progress.clear();
  expect(written.length).toBe(2);
});

test("the bar shows share and per cent, and no more than all", () => {
  expect(bar(1, 2, "w")).toBe(`[${"#".repeat(12)}${".".repeat(12)}]  50%  w`);
  expect(bar(9, 2, "w")).toBe(`[${"#".repeat(24)}] 100%  w`);
  expect(bar(3, undefined, "3 read")).toBe("3 read");
});

const PROGRAM = `
  const { processIo } = await import(${JSON.stringify(new URL("./command.ts", import.meta.url).href)});
  const { stdout } = processIo();
  process.stdin.once("data", () => setInterval(() => stdout.write("a line\\n".repeat(1000)), 5));
  stdout.write("ready\\n");
`;

test("a reader that closes the pipe ends the command without a stack", async () => {
  const child = spawn(process.execPath, ["-e", PROGRAM], { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  await once(child.stdout, "data");
  child.stdout.destroy();
  child.stdin.write("\n");
  const [code] = await once(child, "close");
  expect({ code, errors }).toEqual({ code: 141, errors: "" });
});
