/**
 * Characters that a reader does not see and that part no word: soft hyphens, places where a line may break, word
 * joiners, byte order marks, operators without a sign, anchors of annotations.
 */
const INVISIBLE = /[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]+/g;
/** A joiner shapes the letter before it, as Persian needs it, or the picture; behind these it shapes nothing. */
const IDLE_JOINER = /(?<=^|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Z}\s])[\u200c\u200d]+/gu;
/** Between two letters a direction mark turns nothing. */
const IDLE_MARK = /(?<=[\p{L}\p{M}])[\u061c\u200e\u200f]+(?=\p{L})/gu;
const ANY = /[\u00ad\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb]/;

/**
 * A text as it is read: without characters that nobody sees. Kept are joiners behind letters that they shape (Arabic,
 * Persian, Indic scripts) and between pictures, and direction marks beside anything but two letters, since they order
 * what is shown.
 */
export function withoutInvisible(text: string): string {
  if (!ANY.test(text)) return text;
  return text.replace(INVISIBLE, "").replace(IDLE_JOINER, "").replace(IDLE_MARK, "");
}
