import { createHash } from "node:crypto";
import { LIMITS } from "@isnad/lib/contract";
import type { Taxonomy } from "@isnad/lib/service/config";

/** `ar` or `en` of a language code such as `ar-EG`; undefined for any other and for none. */
export function contentLanguage(code: string | null | undefined): "ar" | "en" | undefined {
  const primary = (code ?? "").trim().toLowerCase().split(/[-_]/)[0];
  return primary === "ar" || primary === "en" ? primary : undefined;
}

/**
 * An identifier as the contract takes it: what is too long or holds control characters is replaced by its SHA-256 in
 * hex.
 */
export function itemId(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = !/[\u0000-\u001f\u007f]/.test(id) && id.isWellFormed();
  return plain && id.length <= LIMITS.externalId ? id : createHash("sha256").update(id).digest("hex");
}

/**
 * Of the labels that a provider gives an article, the one that says most: the first that maps to a category with the
 * highest confidence, else the first. Undefined when there is none.
 */
export function pickLabel(
  taxonomy: Pick<Taxonomy, "mapLabel">,
  provider: string,
  labels: readonly string[],
): string | undefined {
  let best: string | undefined;
  let confidence = -1;
  for (const label of labels) {
    const mapped = taxonomy.mapLabel(provider, label)?.confidence ?? -0.5;
    if (mapped <= confidence) continue;
    best = label;
    confidence = mapped;
  }
  return best;
}
