import { type ApiTarget, CommandError, defineCommand, findApi, writeJson } from "@isnad/lib/service/cli";

type Deleted = { id: string; deleted: boolean };

/** `article:delete`: removes articles everywhere, through the central API. */
export const articleDelete = defineCommand({
  name: "article:delete",
  summary: "Deletes articles from the database and from every index.",
  positionals: { usage: "ID…", min: 1, max: Number.POSITIVE_INFINITY },
  options: {},
  details: "An ID is an article_id or a doc_id. An unknown one is reported, the others are deleted all the same.",
  async run({ positionals }, { env, json, signal, stdout, stderr }) {
    const target = await findApi(env);
    const results: Deleted[] = [];
    for (const id of positionals) {
      const deleted = await remove(target, id, signal);
      results.push({ id, deleted });
      if (json) continue;
      if (deleted) stdout.write(`deleted ${id}\n`);
      else stderr.write(`no article ${id}\n`);
    }
    if (json) writeJson(stdout, { results });
    return results.every(({ deleted }) => deleted) ? 0 : 1;
  },
});

async function remove({ url, ingestToken }: ApiTarget, id: string, signal: AbortSignal): Promise<boolean> {
  let response: Response;
  try {
    response = await fetch(`${url}/v1/articles/${encodeURIComponent(id)}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${ingestToken}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(30_000)]),
    });
    await response.arrayBuffer();
  } catch (cause) {
    throw new CommandError(`the API at ${url} cannot be reached`, { cause });
  }
  if (response.ok) return true;
  if (response.status === 404) return false;
  throw new CommandError(`the API answered ${response.status} for article ${id}`);
}
