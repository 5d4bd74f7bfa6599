import { opensAlike, romanised, soundDistance } from "../../text/mod.ts";

/** How far the spelling of a name may be from how a word sounds, and from the nearest spelling. */
const FARTHEST = 0.18;
const BEHIND = 0.06;
/** How fast a spelling counts less the farther it is than the nearest one: half for every fortieth. */
const HALVING = 40;
/** Spellings with a smaller share are left out. */
const LEAST = 0.1;

/** Letters of the shortest spelling that is compared. */
const SHORTEST = 3;

/**
 * Those of `alike`, words in the other script with the same key of sound, and how each sounds ({@link romanised}),
 * that may be spellings of a word in normal form, with how far each is from how the word sounds.
 */
export function spellingsOf<T extends { form: string; sound: string }>(
  word: string,
  alike: readonly T[],
): (T & { distance: number })[] {
  const sound = romanised(word);
  return alike.flatMap((each) => {
    if (each.form.length < SHORTEST || !opensAlike(sound, each.sound)) return [];
    const distance = soundDistance(sound, each.sound, FARTHEST);
    return distance <= FARTHEST ? [{ ...each, distance }] : [];
  });
}

/**
 * The best of spellings, with shares that sum to one at most: nearer ones and those that more documents hold count
 * more.
 */
export function bestNames<T extends { distance: number; holding: number }>(
  near: readonly T[],
): (T & { share: number })[] {
  const least = Math.min(...near.map(({ distance }) => distance));
  const weighed = near
    .filter(({ distance }) => distance <= least + BEHIND)
    .map((each) => ({ ...each, share: 2 ** (-HALVING * (each.distance - least)) * Math.sqrt(each.holding) }));
  const sum = weighed.reduce((total, { share }) => total + share, 0);
  return weighed.map((each) => ({ ...each, share: each.share / sum })).filter(({ share }) => share >= LEAST);
}
