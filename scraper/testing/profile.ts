/** A valid profile as its file has it; `over` replaces or adds fields. */
export function profileFile(over: Record<string, unknown> = {}): Record<string, unknown> {
  const name = String(over.name ?? "alpha");
  return {
    name,
    provider: name,
    language: "en",
    schedule: "*/15 * * * *",
    source: { id: name, name: "Alpha News", tier: 2, homepage: "https://alpha.test/" },
    feeds: [{ url: "https://alpha.test/feed.xml" }],
    ...over,
  };
}
