import { seeded } from "../lib/std/random.ts";
/**
 * `bun run mutate [FOLDER] [--count N] [--seed N] [--seconds N]`: breaks one line of a source at a time, at random but
 * by a seed, runs the tests of its room, and tells which changes no test noticed. It works in the tree that it stands
 * in, one file at a time, and puts each back; the folder must hold nothing uncommitted.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { parseArgs } from "node:util";
import { SyntaxKind } from "typescript/unstable/ast";
import {
  isBinaryExpression,
  isConditionalExpression,
  isNumericLiteral,
  isPrefixUnaryExpression,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/async";
import { roomOf } from "./sources.ts";

/** A change of a source: what stands from `start` to `end` (UTF-16 units) becomes `to`. */
type Mutation = { start: number; end: number; from: string; to: string };

const OPERATORS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
};

type Source = Exclude<Awaited<ReturnType<Program["getSourceFile"]>>, undefined>;
type Program =
  Awaited<ReturnType<API["updateSnapshot"]>> extends { getProjects(): readonly (infer P)[] }
    ? P extends { program: infer T }
      ? T
      : never
    : never;
type Node = Parameters<Parameters<Source["forEachChild"]>[0]>[0];

/** Returns every change that can be made to a source: operators, numbers, booleans, negations, branches. */
function mutationsOf(source: Source): Mutation[] {
  const mutations: Mutation[] = [];
  const { text } = source;
  const change = (node: Node, to: (from: string) => string | undefined): void => {
    const start = node.end - node.getText(source).length;
    const from = text.slice(start, node.end);
    const changed = to(from);
    if (changed !== undefined && changed !== from) mutations.push({ start, end: node.end, from, to: changed });
  };
  const visit = (node: Node): void => {
    if (isBinaryExpression(node)) change(node.operatorToken, (operator) => OPERATORS[operator]);
    else if (isNumericLiteral(node)) change(node, (digits) => String(Number(digits.replaceAll("_", "")) + 1));
    else if (node.kind === SyntaxKind.TrueKeyword) change(node, () => "false");
    else if (node.kind === SyntaxKind.FalseKeyword) change(node, () => "true");
    else if (isPrefixUnaryExpression(node)) change(node, (code) => (code.startsWith("!") ? code.slice(1) : undefined));
    else if (isConditionalExpression(node)) {
      const [yes, no] = [node.whenTrue.getText(source), node.whenFalse.getText(source)];
      const between = text.slice(node.whenTrue.end, node.end - no.length);
      change(node, (code) => {
        const condition = code.slice(0, code.length - yes.length - between.length - no.length);
        return `${condition}${no}${between}${yes}`;
      });
    }
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return mutations;
}

/** Returns `text` with one change made. */
export function mutate(text: string, { start, end, to }: Mutation): string {
  return text.slice(0, start) + to + text.slice(end);
}

const IS_TEST_OR_GENERATED = /\.test\.ts$|(^|\/)testing|\/generated\//;
const TEST_LIMIT_MS = 180_000;

/** Returns every change of a line that can be made to the sources of a folder, tests and generated files aside. */
export async function findMutations(root: string, folder: string): Promise<{ file: string; mutation: Mutation }[]> {
  const files = spawnSync("git", ["ls-files", folder], { cwd: root, encoding: "utf8" })
    .stdout.split("\n")
    .filter((file) => file.endsWith(".ts") && !IS_TEST_OR_GENERATED.test(file));
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [join(root, "tsconfig.json")] });
    const found: { file: string; mutation: Mutation }[] = [];
    for (const { program } of snapshot.getProjects())
      for (const file of files) {
        const source = await program.getSourceFile(join(root, file));
        if (source !== undefined) found.push(...mutationsOf(source).map((mutation) => ({ file, mutation })));
      }
    return found;
  } finally {
    await api.close();
  }
}

/** Returns whether the tests of `room` fail, or do not end in time. */
async function isNoticed(root: string, room: string): Promise<boolean> {
  const child = spawn(process.execPath, ["tools/test.ts", "--bail=1", room], { cwd: root, stdio: "ignore" });
  const timer = setTimeout(() => child.kill("SIGTERM"), TEST_LIMIT_MS);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  child.on("exit", (code) => resolve(code !== 0));
  const noticed = await promise;
  clearTimeout(timer);
  return noticed;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: "string", default: "15" },
      seed: { type: "string", default: "1" },
      seconds: { type: "string", default: "900" },
    },
  });
  const root = fileURLToPath(new URL("..", import.meta.url));
  const folder = positionals[0] ?? "lib";
  const { stdout: dirty } = spawnSync("git", ["status", "--porcelain", folder], { cwd: root, encoding: "utf8" });
  if (dirty !== "") {
    process.stderr.write(`${folder} holds what is not committed; commit it first\n`);
    return 2;
  }
  const all = await findMutations(root, folder);
  const random = seeded(Number(values.seed));
  const end = performance.now() + Number(values.seconds) * 1000;
  let survivors = 0;
  let tried = 0;
  while (tried < Number(values.count) && all.length > 0 && performance.now() < end) {
    const [pick] = all.splice(Math.floor(random() * all.length), 1);
    if (pick === undefined) break;
    const { file, mutation } = pick;
    const path = join(root, file);
    const text = readFileSync(path, "utf8");
    const line = text.slice(0, mutation.start).split("\n").length;
    let noticed = false;
    const restore = (): void => writeFileSync(path, text);
    process.on("exit", restore);
    try {
      writeFileSync(path, mutate(text, mutation));
      noticed = await isNoticed(root, roomOf(file));
    } finally {
      restore();
      process.off("exit", restore);
    }
    tried += 1;
    if (!noticed) survivors += 1;
    const what = `${mutation.from.slice(0, 60)} -> ${mutation.to.slice(0, 60)}`.replaceAll(/\s+/g, " ");
    process.stdout.write(`${noticed ? "killed  " : "SURVIVED"} ${file}:${line}  ${what}\n`);
  }
  process.stdout.write(`${tried} mutations of ${folder} (seed ${values.seed}), ${survivors} that no test noticed\n`);
  return 0;
}

if (import.meta.main) process.exit(await main());
