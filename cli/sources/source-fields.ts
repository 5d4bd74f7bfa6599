import { UsageError } from "@isnad/lib/service/cli";
import { isIdentifier, LIMITS } from "@isnad/lib/contract";
import type { SourceInput } from "@isnad/lib/store";

/** What a source record may be given on the command line. */
export type SourceFlags = {
  provider?: string | undefined;
  name?: string | undefined;
  "feed-url"?: string | undefined;
  homepage?: string | undefined;
  language?: string | undefined;
  tier?: string | undefined;
};

/** The key of a source as typed. Throws {@link UsageError} when it can be none. */
export function sourceKey(key: string): string {
  if (key.trim() === "" || !isIdentifier(key, LIMITS.sourceId)) {
    throw new UsageError(`a source's key has 1 to ${LIMITS.sourceId} characters, none of them a control character`);
  }
  return key;
}

/** The fields of a source from the command line; what is not given is left out. Throws {@link UsageError}. */
export function sourceFields(flags: SourceFlags): Omit<SourceInput, "key"> {
  const { provider, name, homepage, language, tier } = flags;
  const feedUrl = flags["feed-url"];
  if (tier !== undefined && !/^[123]$/.test(tier)) throw new UsageError("--tier takes 1, 2 or 3");
  if (language !== undefined && !/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/.test(language)) {
    throw new UsageError("--language takes a language code such as ar or en");
  }
  return {
    ...(provider !== undefined && { provider }),
    ...(name !== undefined && { name }),
    ...(feedUrl !== undefined && { feedUrl: webAddress(feedUrl, "--feed-url") }),
    ...(homepage !== undefined && { homepage: webAddress(homepage, "--homepage") }),
    ...(language !== undefined && { language }),
    ...(tier !== undefined && { tier: Number(tier) }),
  };
}

function webAddress(text: string, option: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError(`${option} takes an http or https address`);
  return text;
}
