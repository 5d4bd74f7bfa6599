import type { NestedSpan } from "./spans.ts";
import { foldToken } from "./tokens.ts";

/** Names of languages without article, folded. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    "عربيه فصحي عاميه انجليزيه انكليزيه فرنسيه المانيه اسبانيه ايطاليه روسيه تركيه فارسيه عبريه كرديه سورانيه كرمانجيه صينيه مندرينيه " +
    "يابانيه كوريه هنديه اورديه اردو بشتو بشتونيه دريه بنغاليه برتغاليه هولنديه سويديه نرويجيه دنماركيه فنلنديه يونانيه لاتينيه ارمنيه " +
    "اذريه اوزبكيه كازاخيه تركمانيه طاجيكيه اوكرانيه بولنديه تشيكيه سلوفاكيه مجريه رومانيه بلغاريه صربيه كرواتيه البانيه بوسنيه مقدونيه " +
    "جورجيه امازيغيه تمازيغت قبائليه نوبيه امهريه تغرينيه صوماليه سواحيليه هوسا يوروبا زولو افريكانيه ملايو ماليزيه اندونيسيه فيتناميه " +
    "تايلنديه فلبينيه تاغالوغ تاميليه بنجابيه نيباليه سنسكريتيه سريانيه اراميه اشوريه كلدانيه قبطيه كتالونيه كاتالونيه باسكيه ايرلنديه " +
    "غاليه ويلزيه اسكتلنديه مالطيه اسبرانتو شاميه مصريه خليجيه مغاربيه دارجه حسانيه مهريه عثمانيه اويغوريه شيشانيه روهينغيه"
  ).split(" "),
);

/** Words before the name of a language, without clitics, folded. */
const LANGUAGE_WORD = /^(?:[وف]?[بلك]?(?:ال|ل)?)(?:لغ(?:ه|ات|تين|تان)|لهج(?:ه|ات|تين)|ناطق(?:ه|ين|ون)?|ترجمه|نسخه)$/u;

const ARTICLE = /^[وف]?(?:[بك]?ال|لل)/u;
const BEFORE_LANGUAGE = /^(?:[وف]?(?:[بك]?ال|لل?|[بل])?)/u;

/** Tells whether a word names a language where it stands: not the Arab community (الجالية العربية). */
function isLanguage(
  words: readonly string[],
  { start, end }: NestedSpan,
  isNamed: (place: number) => boolean,
): boolean {
  const word = words[start] ?? "";
  const isKnown =
    end - start > 1 ||
    LANGUAGES.has(word.replace(BEFORE_LANGUAGE, "")) ||
    LANGUAGES.has(word.replace(ARTICLE, "")) ||
    !/ي[هن]?$/u.test(word);
  const before = words[start - 1] ?? "";
  const isAdjective =
    ARTICLE.test(before) && !PREPOSITION.test(before) && !LANGUAGE_WORD.test(before) && !isNamed(start - 1);
  return isKnown && !(isAdjective && /^ال/u.test(word));
}

/** Words that end the name of a person: what he is called besides, what he says and does, a relative clause. */
const NAME_ENDS =
  /^(?:الملقبه?|المعروفه?|المكن[يا]ه?|المدعوه?|المسماه?|الشهيره?|[وف]?(?:ي?قال|قالت|يقول|تقول|اكد|اكدت|اعلن|اعلنت|اضاف|اضافت|صرح|صرحت|اوضح|اوضحت)|[وف]?(?:ان|انه|انها|انهم)|الذي|التي|الذين)$/u;

/** Returns where a name of a person ends at the latest: before a word that is no part of one. */
function endOfName(words: readonly string[], { start, end }: NestedSpan): number {
  for (let place = start + 1; place < end; place++) if (NAME_ENDS.test(words[place] ?? "")) return place;
  return end;
}

/** Prepositions that stand by themselves, and adverbs of place: no other is joined to the word behind. */
const PREPOSITION =
  /^[وف]?(?:في|من|الي|علي|عن|قرب|عبر|حتي|بين|نحو|داخل|خارج|قباله|شرق|غرب|شمال|جنوب|شرقي|غربي|شمالي|جنوبي|وسط|ضد|لدي|عند|مع|باتجاه)$/u;

/**
 * Returns the spans of a sentence as far as they can be what they are said to be: languages are languages, the name of
 * a person ends before what he is called besides, and no preposition is cut from a word behind one (في بيونغ يانغ).
 */
export function plausibleSpans(spans: readonly NestedSpan[], texts: readonly string[]): NestedSpan[] {
  const words = texts.map(foldToken);
  const isNamed = (place: number): boolean =>
    spans.some(({ type, start, end }) => type === "LANGUAGE" && start <= place && place < end);
  return spans.flatMap((span) => {
    if (span.type === "LANGUAGE" && !isLanguage(words, span, isNamed)) return [];
    const end = span.type === "PERS" ? endOfName(words, span) : span.end;
    const isBehind = span.cut > 0 && PREPOSITION.test(words[span.start - 1] ?? "");
    const cut = isBehind && /^[بلك]/u.test(words[span.start] ?? "") ? 0 : span.cut;
    return [{ ...span, end, cut }];
  });
}
