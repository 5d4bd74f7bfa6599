/** Why one item of a batch was refused. */
export type ItemSlug =
  | "missing-field"
  | "invalid-field"
  | "invalid-url"
  | "invalid-title"
  | "content-too-short"
  | "unsupported-language"
  | "invalid-date"
  | "too-many-authors"
  | "too-many-images"
  | "unknown-source"
  | "unknown-article";

/** The `error` of a failed item; `detail` names the field and the rule. */
export type ItemError = { type: `/errors/${ItemSlug}`; title: "Invalid Payload"; detail: string };

/** Makes the `error` of a failed item. */
export function itemError(slug: ItemSlug, detail: string): ItemError {
  return { type: `/errors/${slug}`, title: "Invalid Payload", detail };
}
