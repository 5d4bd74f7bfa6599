import { defineCommand, UsageError, writeJson } from "@isnad/lib/service/cli";
import { openCommandStore } from "../sources/open-store.ts";

/** Longest list of what was set aside. */
const MAX_LISTED = 50;

/** `articles:retry`: tries articles again that were set aside or have failed. */
export const articlesRetry = defineCommand({
  name: "articles:retry",
  summary: "Tries articles again that a stage has set aside; without --all or an ID it lists them with their reasons.",
  positionals: { usage: "[ID…]", min: 0, max: 1_000 },
  options: {
    all: { kind: "flag", help: "everything that was set aside" },
    stage: { kind: "text", value: "NAME", help: "only what was set aside in this stage" },
  },
  details: `An article is set aside in a stage (ingestion, analysis, entities, rerank, relations, summary) once five attempts at it
have failed. ID is the number of an article; one that has failed for another reason begins anew.`,
  async run({ positionals, values }, { env, json, stdout }) {
    const { all, stage } = values;
    const articleIds = positionals.map(idOf);
    if (all && articleIds.length > 0) throw new UsageError("give --all or IDs, not both");
    await using opened = await openCommandStore(env);
    const { work } = opened.store;
    if (!all && articleIds.length === 0) {
      const list = await work.setAside({ limit: MAX_LISTED, stage });
      if (json)
        writeJson(stdout, {
          retried: 0,
          set_aside: list.map(({ articleId, ...rest }) => ({ article_id: articleId, ...rest })),
        });
      else {
        for (const { articleId, stage: name, at, reason } of list)
          stdout.write(`${articleId} ${name} ${at} ${reason ?? ""}\n`);
        stdout.write(list.length === 0 ? "nothing was set aside\n" : "--all or an ID tries again\n");
      }
      return 0;
    }
    const retried = await work.retry({ articleIds: all ? undefined : articleIds, stage });
    if (json) writeJson(stdout, { retried, set_aside: [] });
    else stdout.write(`${retried} to be tried again\n`);
    return all || retried > 0 ? 0 : 1;
  },
});

function idOf(text: string): number {
  if (!/^[1-9]\d{0,15}$/.test(text)) throw new UsageError(`${text} is no number of an article`);
  return Number(text);
}
