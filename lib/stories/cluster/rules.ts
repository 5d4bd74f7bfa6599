import { BoundedMap } from "../../std/mod.ts";
import type { StoryCandidate, StoryLink, StoryReport, StoryRules, StoryText } from "../../store/mod.ts";
import { compareTexts } from "../copies/overlap.ts";
import { readWords } from "../copies/words.ts";
import { partition } from "./partition.ts";
import { MIN_LINK, type Report, signalsOf, weigh } from "./weights.ts";
import { keysOf, packTraits, titleStems, traitsOf, unpackTraits } from "./traits.ts";

/** Changes whenever traits are made or stored otherwise than before. */
const TRAITS_VERSION = 3;

/** Changes whenever stories are told apart otherwise than before, so that they are told apart anew. */
export const STORIES_VERSION = TRAITS_VERSION * 100 + 2;

/** Share of the words of a revision that its text had before, from which on what was read of that text still holds. */
const SAME_REPORT = 0.4;

/** Returns what an article is compared by; names and passages only while its source tells what they were read of. */
export function reportOf(text: StoryText): StoryReport {
  const traits = traitsOf(isRewritten(text) ? { ...text, entities: [], vectors: [], read: undefined } : text);
  return {
    articleId: text.articleId,
    lang: text.lang,
    at: text.at,
    stems: titleStems(text.title),
    keys: keysOf(traits),
    traits: packTraits(traits),
  };
}

const isRewritten = ({ before, content }: StoryText): boolean =>
  before != null && compareTexts(readWords(content), readWords(before)).overlap < SAME_REPORT;

/** Tells stories apart: the same for articles as they come in and for all that is stored. */
export const STORY_RULES: StoryRules = {
  version: STORIES_VERSION,
  weigh: linksOf,
  part: partition,
};

function linksOf(reports: readonly StoryReport[], candidates: readonly StoryCandidate[]): StoryLink[] {
  const unpacked = new BoundedMap<number, Report>(reports.length + candidates.length);
  const read = ({ articleId, lang, at, traits }: Pick<StoryReport, "articleId" | "lang" | "at" | "traits">): Report => {
    const known = unpacked.get(articleId);
    if (known !== undefined) return known;
    const report = { lang, at, traits: unpackTraits(traits) };
    unpacked.set(articleId, report);
    return report;
  };
  const byId = new Map(reports.map((report) => [report.articleId, report]));
  return candidates.flatMap((candidate) => {
    const report = byId.get(candidate.of);
    if (report === undefined) return [];
    const weight = weigh(signalsOf(read(report), read(candidate)), report.lang, candidate.lang);
    return weight < MIN_LINK ? [] : [{ a: candidate.of, b: candidate.articleId, weight }];
  });
}
