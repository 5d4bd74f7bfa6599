import { asciiHost, type WordTerms } from "../../text/mod.ts";
import { withinDomain } from "../filters.ts";
import { authorKey } from "../keyword/condition.ts";
import { analyseSearch, wordsOf } from "../keyword/query.ts";
import type { QueryField, QueryNode } from "../query-language/parse.ts";
import {
  acrossAnchors,
  holdsPhrase,
  holdsTranslation,
  IN_CONTENT,
  IN_TITLE,
  type Spellings,
  translated,
  type WatchedArticle,
} from "./across.ts";

/** A condition of an article, its words analysed. `anchors`: it holds for no article that has none of these. */
type Condition = {
  holds(article: WatchedArticle): boolean;
  anchors: readonly string[] | undefined;
};

/** The parts that conditions are made with. */
export type ConditionParts = {
  /** Returns the number of an entity by what a query calls it. */
  entityId(name: string): number | undefined;
  /** Returns how many of the articles seen lately hold a term: the fewer, the better an anchor it is. */
  rarity(term: string): number;
  spellings: Spellings;
};

/** Makes a condition of what a query asks for: what `lib/search/keyword/condition.ts` looks up in an index. */
export function conditionOf(node: QueryNode, parts: ConditionParts): Condition {
  return made(node, parts, true);
}

/** `across`: words may stand in the other language. */
function made(node: QueryNode, parts: ConditionParts, across: boolean): Condition {
  switch (node.is) {
    case "word":
      return everyWord(node.text, parts, across);
    case "phrase":
      return phraseIn(wordsOf(node.text), ["title", "content"], parts);
    case "field":
      return fieldCondition(node, parts);
    case "among":
      return { holds: ({ articleId }) => node.keys.includes(articleId), anchors: undefined };
    case "not": {
      // What is excluded is excluded as it is written, not in translation.
      const { holds } = made(node.of, parts, false);
      return { holds: (article) => !holds(article), anchors: undefined };
    }
    case "all":
      return every(
        node.of.map((part) => made(part, parts, across)),
        parts,
      );
    case "any": {
      const conditions = node.of.map((part) => made(part, parts, across));
      const anchors = conditions.map((condition) => condition.anchors);
      return {
        holds: (article) => conditions.some(({ holds }) => holds(article)),
        anchors: anchors.every((each) => each !== undefined) ? [...new Set(anchors.flat())] : undefined,
      };
    }
  }
}

/** Holds where an article has one of a text's words, in any form, by its root or in translation: what is ranked. */
export function oneWordOf(text: string, parts: Pick<ConditionParts, "spellings">): Condition {
  const { stems, roots } = analyseSearch(text);
  const terms = [...stems.keys(), ...roots.keys()];
  const across = translated(text, parts.spellings);
  return {
    holds: (article) =>
      terms.some((term) => article.terms.has(term)) || holdsTranslation(article, across, parts.spellings),
    anchors: [...terms, ...acrossAnchors(across)],
  };
}

function every(conditions: readonly Condition[], { rarity }: Pick<ConditionParts, "rarity">): Condition {
  return {
    holds: (article) => conditions.every(({ holds }) => holds(article)),
    anchors: rarestOf(
      conditions.map(({ anchors }) => anchors),
      rarity,
    ),
  };
}

/** Returns those anchors that the fewest articles hold. */
export function rarestOf(
  all: readonly (readonly string[] | undefined)[],
  rarity: ConditionParts["rarity"],
): readonly string[] | undefined {
  let best: { anchors: readonly string[]; holding: number } | undefined;
  for (const anchors of all) {
    if (anchors === undefined) continue;
    const holding = anchors.reduce((sum, term) => sum + rarity(term), 0);
    if (best === undefined || holding < best.holding) best = { anchors, holding };
  }
  return best?.anchors;
}

/** Holds where an article has every word of a text, each in any form. */
function everyWord(text: string, parts: ConditionParts, across: boolean): Condition {
  const words = wordsOf(text);
  if (words.length === 0) return NEVER;
  return every(
    words.map(({ form, stems }) => {
      const own = stemsIn(stems, IN_TITLE | IN_CONTENT, parts);
      const other = across ? translated(form, parts.spellings) : [];
      if (other.length === 0) return own;
      return {
        holds: (article) => own.holds(article) || holdsTranslation(article, other, parts.spellings),
        anchors: [...(own.anchors ?? []), ...acrossAnchors(other)],
      };
    }),
    parts,
  );
}

const NEVER: Condition = { holds: () => false, anchors: [] };

/** Holds where the fields have every stem. */
function stemsIn(stems: readonly string[], fields: number, { rarity }: Pick<ConditionParts, "rarity">): Condition {
  if (stems.length === 0) return NEVER;
  return {
    holds: ({ terms }) => stems.every((stem) => ((terms.get(stem) ?? 0) & fields) !== 0),
    anchors: rarestOf(
      stems.map((stem) => [stem]),
      rarity,
    ),
  };
}

/** Holds where one of the fields has the words as written, in order. */
function phraseIn(
  words: readonly WordTerms[],
  fields: readonly ("title" | "content")[],
  parts: Pick<ConditionParts, "rarity">,
): Condition {
  const phrase = words.map(({ form }) => form);
  const stems = stemsIn(
    words.flatMap((word) => word.stems),
    IN_TITLE | IN_CONTENT,
    parts,
  );
  return {
    holds: (article) => stems.holds(article) && fields.some((field) => holdsPhrase(article[field], phrase)),
    anchors: stems.anchors,
  };
}

function fieldCondition(
  { field, text, quoted }: { field: QueryField; text: string; quoted: boolean },
  parts: ConditionParts,
): Condition {
  const tells = (holds: Condition["holds"]): Condition => ({ holds, anchors: undefined });
  const wanted = text.toLowerCase();
  const isWanted = (value: string | null | undefined): boolean => value?.toLowerCase() === wanted;
  switch (field) {
    case "title": {
      const words = wordsOf(text);
      const stems = words.flatMap((word) => word.stems);
      return quoted ? phraseIn(words, ["title"], parts) : stemsIn(stems, IN_TITLE, parts);
    }
    case "author": {
      const name = authorKey(text);
      return tells(({ authors }) => name.trim() !== "" && authors.some((author) => authorKey(author).includes(name)));
    }
    case "source":
      return tells(({ sourceId }) => isWanted(sourceId));
    case "category":
      return tells(({ categoryId }) => isWanted(categoryId));
    case "lang":
      return tells(({ lang }) => isWanted(lang));
    case "domain": {
      const host = asciiHost(text);
      return tells(({ domain }) => host !== undefined && withinDomain(domain ?? "", host));
    }
    case "entity":
      return tells(({ entityIds }) => entityIds.has(parts.entityId(text) ?? 0));
  }
}
