const LONG = 5;

/**
 * Whether two keys are one foreign name in two Arabic spellings, which differ in their long vowels and in what stands
 * for g: نوتنغهام and نوتينجهام. Short names, of which many differ in a vowel alone (ناصر, نصر), are not.
 */
export function spelledAlike(a: string, b: string): boolean {
  if (!/^\p{Script=Arabic}/u.test(a)) return false;
  const skeleton = skeletonOf(a);
  return skeleton.length >= LONG && skeleton === skeletonOf(b);
}

const skeletonOf = (key: string): string =>
  key
    .replace(/[اويى]/g, "")
    .replace(/[غجق]/g, "غ")
    .replace(/(.)\1/g, "$1");
