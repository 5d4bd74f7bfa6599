import { defineCommand, writeJson } from "@isnad/lib/service/cli";
import { at } from "@isnad/lib/std";
import type { PullRun, Source } from "@isnad/lib/store";
import { openCommandStore } from "./open-store.ts";

/** `sources:list`: the sources that are registered, and how each was last pulled. */
export const sourcesList = defineCommand({
  name: "sources:list",
  summary: "Lists the registered sources with their last pull.",
  positionals: { usage: "", min: 0, max: 0 },
  options: {
    provider: { kind: "text", value: "NAME", help: "only sources of this provider" },
    active: { kind: "flag", help: "only active sources" },
  },
  async run({ values }, { env, json, stdout }) {
    await using opened = await openCommandStore(env);
    const [all, latest] = await Promise.all([opened.store.sources.list(), opened.store.pulls.latest()]);
    const sources = all.filter(
      ({ provider, active }) =>
        (values.provider === undefined || provider === values.provider) && (active || !values.active),
    );
    if (json)
      writeJson(
        stdout,
        sources.map((source) => sourceJson(source, latest.get(source.key))),
      );
    else stdout.write(table(sources, latest));
    return 0;
  },
});

/** A source record in the field names of the contract, with its last pull. */
function sourceJson(source: Source, last: PullRun | undefined) {
  const { key, provider, name, feedUrl, homepage, language, tier, active, createdAt, updatedAt } = source;
  return {
    key,
    provider,
    name,
    feed_url: feedUrl,
    homepage,
    language,
    tier,
    active,
    off_since: source.offSince,
    created_at: createdAt,
    updated_at: updatedAt,
    last_pull:
      last === undefined
        ? null
        : { run_id: last.runId, status: last.status, at: last.createdAt, counts: last.counts, error: last.error },
  };
}

function table(sources: readonly Source[], latest: ReadonlyMap<string, PullRun>): string {
  const rows = sources.map((source) => {
    const last = latest.get(source.key);
    return [
      source.key,
      source.provider ?? "-",
      source.language ?? "-",
      String(source.tier),
      source.offSince !== null ? "off" : source.active ? "active" : "inactive",
      last === undefined ? "-" : `${last.status} ${last.createdAt.slice(0, 16).replace("T", " ")}`,
      source.name,
    ];
  });
  const all = [["KEY", "PROVIDER", "LANG", "TIER", "STATE", "LAST PULL", "NAME"], ...rows];
  const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map((row) => [...(row[column] ?? "")].length)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(Math.max(0, at(widths, column) - [...cell].length)))
      .join("  ")
      .trimEnd();
  return `${all.map(line).join("\n")}\n`;
}
