const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** The most frequent function words of each language, without those that are as frequent in English. */
const WORDS = {
  ar: set(
    "في من على إلى الى عن أن ان إن هذا هذه ذلك التي الذي الذين ما لا لم لن قد كان كانت هو هي بعد قبل بين مع كل حتى أو او ثم كما أي عند منذ خلال حيث وقد وقال قال وفي ومن ولا وهو وهي أنه انه أنها لها له به بها فيه فيها عليه عليها منها منه غير يوم أكثر نحن أنا هل كيف متى أين ماذا لماذا",
  ),
  fa: set(
    "از كه را اين است به آن با براي در مي شد شده كرد خود تا هم بر يك ها هاي اند بود شود كند دارد نيز اما ديگر وي پس نمي گفت سال پيش",
  ),
  ur: set("كے كي كا ميں سے ہے كو اور نے ہيں پر كہ يہ اس بھي نہيں تھا گيا كر وہ ايك ليے ہو جو تو"),
  en: set(
    "the of and a an to in is that for it was on are with as his they be at this have from or had by but what some we can were there all your when up use how said an each she which their will if about many then them would so her has its who been more not than after also could when where why he you two over into says new most only our out no my year years month months week day net profit loss share shares company government people first last per percent sales president note prior record dividend",
  ),
} as const;

/**
 * Letters of Persian, Urdu, Pashto and Kurdish that Arabic does not have, not even in foreign names as it has گ, پ, چ
 * and ڤ.
 */
const SCRIPT_MARKS =
  /[\u0679\u067c\u0681\u0685\u0688\u0689\u0691\u0693\u0695\u0696\u0698\u069a\u06ab\u06b5\u06ba\u06bc\u06be\u06c0-\u06c3\u06c6\u06cd\u06ce\u06d0-\u06d3\u06d5]/;

/** The same for other languages in Latin script, whichever they are. */
const OTHER_LATIN: readonly ReadonlySet<string>[] = [
  set(
    "le la les des du de et est un une dans que qui pour pas sur au avec ce il par plus ne se sont aux cette mais ou son sa ses été être ont nous vous leur après entre comme deux fait sans",
  ),
  set(
    "el la los las de del que y en un una es por con para su se al como más pero lo sus este entre ha fue son sobre también desde hasta está según años no",
  ),
  set(
    "der die das und ist den von zu mit im des auf für nicht ein eine dem als auch es sich an werden aus er hat dass sie nach bei einer um am sind noch wie einem über so zum war haben wurde",
  ),
  set(
    "il di che la e un una per non è con del della in le si da dei gli alla nel al sono ha più come anche lo dal ma delle i",
  ),
  set(
    "o de que e do da em um uma para é com não os no se na por mais as dos como mas foi ao ele das tem à seu sua ou são pelo pela",
  ),
  set(
    "de het een van en dat die is te op aan met voor niet zijn er maar om ook als dan bij nog uit naar wordt door werd",
  ),
  set(
    "ve bir bu için ile da de olarak çok daha olan gibi ancak sonra kadar ne en ama değil olduğu her var ise göre dedi",
  ),
  set(
    "yang dan di dengan untuk dari ini itu pada tidak dalam akan ke juga adalah oleh ada mereka telah bisa karena atau sudah",
  ),
  set("och att det som en på är av för med den till inte om ett har de jag var från men vi kan när så efter eller ska"),
  set("i w na z się nie do to że jest o jak po za od ale przez co tym przy oraz są być dla który jego"),
  set("og at det er en til på de som med han af ikke der var et jeg har fra men blev efter også"),
  set("ja on ei se että hän oli mutta kun mitä niin ovat joka sen myös kuin hänen mukaan tai"),
  set("a az és hogy nem egy is ez de van csak meg volt már mint még ki el azt lesz után szerint"),
  set("și de la în cu pe nu este un o care din pentru să mai ca sau fi au fost lui după prin"),
  set("a se v na je že s z do o i to si by ve za ale jako po pro k jsem které která jeho"),
  set("ya wa na kwa ni katika za la yake cha kuwa hii alisema huo watu baada lakini zaidi"),
  set("ang ng sa mga na at ay si hindi ko mo niya ito para kung siya isang rin din"),
  set("của và các là có được trong cho không một người này những với đã đến khi từ"),
];

/** The language of a text; `confidence` is 0 to 1. */
type DetectedLanguage = { lang: "ar" | "en" | "other"; confidence: number };

/** UTF-16 units of a long text that are read: enough to be sure, cheap for every article. */
const SAMPLE = 2000;
const LETTERS = /[\p{L}\p{M}]+/gu;

/**
 * Tells Arabic and English from each other and from other languages: by script, then by the share of each language's
 * function words among the words and, in Arabic script, by letters that Arabic does not have. A short text in Latin
 * script without function words counts as English with low confidence; a text without letters is `other` with
 * confidence 0.
 */
export function detectLanguage(text: string): DetectedLanguage {
  const words = text.slice(0, SAMPLE).normalize("NFKC").toLowerCase().match(LETTERS) ?? [];
  const letters = { arabic: 0, latin: 0, other: 0 };
  for (const word of words) letters[scriptOf(word)] += word.length;
  const total = letters.arabic + letters.latin + letters.other;
  if (total === 0) return { lang: "other", confidence: 0 };
  const main = letters.arabic >= letters.latin ? "arabic" : "latin";
  const share = letters[main] / total;
  if (letters.other > letters[main]) return { lang: "other", confidence: letters.other / total };
  const native = words.filter((word) => scriptOf(word) === main);
  const decided = main === "arabic" ? arabicScript(native) : latinScript(native);
  return { lang: decided.lang, confidence: share * decided.confidence };
}

function scriptOf(word: string): "arabic" | "latin" | "other" {
  const c = word.charCodeAt(0);
  if ((c >= 0x600 && c <= 0x6ff) || (c >= 0x750 && c <= 0x77f)) return "arabic";
  return c < 0x250 || (c >= 0x1e00 && c <= 0x1eff) ? "latin" : "other";
}

function arabicScript(words: readonly string[]): DetectedLanguage {
  // Arabic is sometimes typed with the Persian forms of yeh and kaf, Persian with the Arabic ones: they say nothing.
  const bare = words.map((word) => word.replace(/\p{M}/gu, "").replaceAll("ی", "ي").replaceAll("ک", "ك"));
  const arabic = bare.filter((word) => WORDS.ar.has(word) || /^[وفبك]?ال..|^لل..|ة$/.test(word)).length;
  const foreign = bare.filter((word) => SCRIPT_MARKS.test(word) || WORDS.fa.has(word) || WORDS.ur.has(word)).length;
  if (arabic + foreign === 0) return { lang: "ar", confidence: 0.5 };
  return verdict("ar", arabic, foreign, bare.length);
}

function latinScript(words: readonly string[]): DetectedLanguage {
  const count = (lang: ReadonlySet<string>) => words.filter((word) => lang.has(word)).length;
  const english = count(WORDS.en);
  const foreign = Math.max(...OTHER_LATIN.map(count));
  // Letters with marks are rare in English: half a word each.
  const marked = words.filter((word) => /[^a-z]/.test(word)).length;
  if (english + foreign + marked === 0) return { lang: "en", confidence: Math.max(0.2, 0.6 - words.length / 50) };
  return verdict("en", english, Math.max(foreign, Math.min(marked, foreign + marked / 2)), words.length);
}

function verdict(lang: "ar" | "en", native: number, foreign: number, words: number): DetectedLanguage {
  // A long text in which hardly any word speaks for the language is not in it.
  const expected = words >= 20 ? words * 0.025 : 0;
  const against = Math.max(foreign, expected);
  if (native > against || (native === against && foreign === 0))
    return { lang, confidence: native / (native + foreign) };
  return { lang: "other", confidence: against / (native + against) };
}
