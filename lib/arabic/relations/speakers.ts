import type { ReArgument } from "./model.ts";
import type { ReWord } from "./words.ts";

/**
 * The arguments of a saying, put right where its speaker is named in parts: the name that follows a post behind a comma
 * says no more than the post, and whoever is joined to a speaker by `و` speaks, too. Neither is spoken to.
 */
export function speakersOf(words: readonly ReWord[], found: readonly ReArgument[]): ReArgument[] {
  return found.flatMap((each) => {
    if (each.role !== "target") return [each];
    const isBehind = (place: number): boolean => found.some(({ role, to }) => role === "agent" && to === place);
    if (words[each.from - 1]?.form === "،" && isBehind(each.from - 1)) return [];
    if (words[each.from]?.clitics.startsWith("و") === true && isBehind(each.from)) return [{ ...each, role: "agent" }];
    return [each];
  });
}
