import type { DeskArchive } from "./archive.ts";

/** Returns the pages that are looked at, by the names of their pictures. */
export function pagesOf({ articles, stories }: DeskArchive): Record<string, string> {
  const article = (externalId: string) => `/articles/${articles.get(externalId)}`;
  return {
    today: "/",
    state: "/state",
    ...(articles.size > 0 && stories.length > 0 && {}),
    "not-found": article("none"),
  };
}
