import { opensAlike, romanised, soundDistance, soundKey } from "./sound.ts";

const PARTICLE = /^(?:al|el|ال)$/;
const ARTICLE = /^ال(?=...)/u;
const IS_ARABIC = /\p{Script=Arabic}/u;

/**
 * How far two names may be apart as they sound. Of 30 pairs of names of public figures the farthest had .108; حسن and
 * Hussein after the same first name are .12 apart. Words of a search, where other words stand beside them, may be .18.
 */
const FARTHEST = 0.11;

/** Consonants that are enough to know a name by. */
const ENOUGH = 4;

/** A name as one word, without articles: how its parts are written together differs between scripts. */
const joined = (key: string): string =>
  key
    .split(" ")
    .filter((word) => !PARTICLE.test(word))
    .map((word) => word.replace(ARTICLE, ""))
    .join("");

/**
 * What a name shares with the same name in another script: its consonants in classes, whatever its words. Takes the
 * key of a name (nameKey); undefined where it has too few to be known by.
 */
export function nameSound(key: string): string | undefined {
  const sound = soundKey(joined(key));
  return sound.length < ENOUGH || /\p{N}/u.test(key) ? undefined : sound;
}

/** The nearest of the keys that are spellings of the same name in the other script, Arabic or Latin. */
export function soundingAlike(key: string, others: readonly string[]): string | undefined {
  const near = others
    .map((other) => ({ other, gap: soundGap(key, other) }))
    .filter(({ gap }) => gap <= FARTHEST)
    .sort((a, b) => a.gap - b.gap);
  return near[0]?.other;
}

/** How far two keys in different scripts are apart as they sound; infinitely far in one script. */
function soundGap(a: string, b: string): number {
  if (IS_ARABIC.test(a) === IS_ARABIC.test(b)) return Number.POSITIVE_INFINITY;
  const [arabic, latin] = IS_ARABIC.test(a) ? [a, b] : [b, a];
  const from = romanised(joined(arabic));
  const to = romanised(joined(latin));
  return opensAlike(from, to) ? soundDistance(from, to) : Number.POSITIVE_INFINITY;
}
