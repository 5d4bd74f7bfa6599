import { createHash } from "node:crypto";
import { type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { Json, PullOptions, Source } from "@isnad/lib/store";

type AdapterContext = {
  /** Holds what the last complete pull of this source returned. */
  state: Json | undefined;
  /** Holds what this pull is asked for; `{}` in a regular one. */
  options: PullOptions;
  /** Aborts when the pull has to stop. */
  signal: AbortSignal;
};

/**
 * Brings the items of a source as a stream. What it returns at the end is kept, once all items are admitted, for the
 * next pull; undefined keeps what is there. Throws {@link PullError} when it cannot go on.
 */
export type Adapter = (source: Source, context: AdapterContext) => AsyncGenerator<ItemDraft, Json | undefined, void>;

/** The adapters by the provider that they serve. */
export type Adapters = ReadonlyMap<string, Adapter>;

/** A pull could not be begun or not be completed; the message is one line for the operator, without secrets. */
export class PullError extends Error {
  override name = "PullError";
}

/** No adapter serves the provider of a source. */
export class UnsupportedProviderError extends PullError {
  override name = "UnsupportedProviderError";
  readonly provider: string | null;
  readonly sourceKey: string;

  constructor({ key, provider }: Pick<Source, "key" | "provider">, known: Iterable<string>) {
    const what = provider === null ? "has no provider" : `has the unsupported provider "${provider}"`;
    super(`source "${key}" ${what}; there are ${[...known].join(", ")}`);
    this.provider = provider;
    this.sourceKey = key;
  }
}

/** The adapter of a source's provider. Throws {@link UnsupportedProviderError}, which names provider and source. */
export function adapterFor(source: Pick<Source, "key" | "provider">, adapters: Adapters): Adapter {
  const adapter = source.provider === null ? undefined : adapters.get(source.provider);
  if (adapter === undefined) throw new UnsupportedProviderError(source, adapters.keys());
  return adapter;
}

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
