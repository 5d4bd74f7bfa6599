import type { Profile } from "../schema.ts";

/** A selector of a profile. */
export interface NamedSelector {
  /** Where it stands: `article.content`, `list_pages.0.link_selector`. */
  readonly field: string;
  readonly selector: string;
  /** Which pages it is for. */
  readonly on: "article" | "list";
  /**
   * Whether it has to match somewhere: without its part there is no article, or none that is dated as the profile wants
   * it.
   */
  readonly required: boolean;
}

type ArticleParts = NonNullable<Profile["article"]>;

const PARTS = ["title", "content", "published_at", "author", "image", "next_page"] as const;
const REQUIRED: ReadonlySet<string> = new Set(["title", "content", "published_at"]);

/**
 * The selectors of a profile, in the order of its fields. Those of former designs need not match: today's pages have
 * another.
 */
export function namedSelectors({ list_pages, article, article_versions }: Profile): NamedSelector[] {
  return [
    ...list_pages.flatMap(({ link_selector, next }, i) => [
      { field: `list_pages.${i}.link_selector`, selector: link_selector, on: "list" as const, required: true },
      ...(next === undefined
        ? []
        : [{ field: `list_pages.${i}.next`, selector: next, on: "list" as const, required: false }]),
    ]),
    ...(article === undefined ? [] : partsOf("article", article)),
    ...article_versions.flatMap((version, i) =>
      partsOf(`article_versions.${i}`, version).map((named) => ({ ...named, required: false })),
    ),
  ];
}

function partsOf(
  field: string,
  parts: Omit<ArticleParts, "next_page" | "max_pages"> & { next_page?: string | undefined },
) {
  const single = PARTS.flatMap((part): NamedSelector[] => {
    const selector = parts[part];
    if (selector === undefined) return [];
    return [{ field: `${field}.${part}`, selector, on: "article", required: REQUIRED.has(part) }];
  });
  const removed = parts.remove.map(
    (selector, i): NamedSelector => ({ field: `${field}.remove.${i}`, selector, on: "article", required: false }),
  );
  return [...single, ...removed];
}
