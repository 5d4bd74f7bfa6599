import { createProgress, defineCommand, UsageError, writeJson } from "@isnad/lib/cli";
import { rebuildKeyword, reconcileKeyword, reembed } from "@isnad/lib/sync";
import { openProjections, type Projections } from "./projections.ts";

type Done = { keyword?: { added: number; removed: number }; vectors?: { embedded: number; broken: number } };

/** `search:reindex`: makes both indexes anew from the database. */
export const searchReindex = defineCommand({
  name: "search:reindex",
  summary: "Rebuilds the keyword and vector indexes from the database.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    keyword: { kind: "flag", help: "only the keyword index" },
    vectors: { kind: "flag", help: "only the vectors" },
    repair: { kind: "flag", help: "keep what is right: add what is missing, take out what is gone" },
  },
  details: "May run while the stack is up. When it is cut short, start it again with --repair.",
  async run({ values }, { env, json, signal, stdout, stderr }) {
    if (values.keyword && values.vectors) throw new UsageError("--keyword and --vectors exclude each other");
    await using projections = await openProjections(env);
    const total = (await projections.store.articles.countByState()).indexed;
    const progress = createProgress(stderr);
    const draw = (what: string) => (done: number) =>
      progress.update(done, total, `${what}: ${done} of ${total} articles`);
    const done: Done = {};
    try {
      if (!values.vectors) done.keyword = await keyword(projections, values.repair, signal, draw("keyword"));
      progress.clear();
      if (!values.keyword) done.vectors = await vectors(projections, signal, draw("vectors"));
    } finally {
      progress.clear();
    }
    if (json) writeJson(stdout, { articles: total, ...done });
    else stdout.write(report(total, done));
    return (done.vectors?.broken ?? 0) > 0 ? 1 : 0;
  },
});

async function keyword(
  { store, keyword }: Projections,
  repair: boolean,
  signal: AbortSignal,
  draw: (done: number) => void,
) {
  const run = repair ? reconcileKeyword : rebuildKeyword;
  const { added, removed } = await run({
    store,
    keyword,
    signal,
    onProgress: (progress) => draw(Math.max(progress.checked, progress.added)),
  });
  return { added, removed };
}

async function vectors({ store, embedder }: Projections, signal: AbortSignal, draw: (done: number) => void) {
  const { embedded, broken } = await reembed({ store, embedder, signal, onProgress: draw });
  return { embedded, broken: broken.length };
}

function report(total: number, { keyword, vectors }: Done): string {
  const lines = [`${total} articles in the database`];
  if (keyword) lines.push(`keyword index  ${keyword.added} written, ${keyword.removed} taken out`);
  if (vectors) lines.push(`vectors        ${vectors.embedded} embedded, ${vectors.broken} could not be`);
  return `${lines.join("\n")}\n`;
}
