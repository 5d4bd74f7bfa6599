import { expect, test } from "bun:test";
import { openMorphology } from "./model.ts";
import { morphAnswer, type MorphToken } from "./answer.ts";
import { bareForm } from "./written-forms.ts";

const morphology = await openMorphology();

/** Reads one word of a text. */
function readingOf(text: string, word: string): MorphToken {
  const token = morphAnswer(morphology, { text, all: false }).find((each) => each.token === word);
  if (token === undefined) throw new Error(`${word} is not in ${text}`);
  return token;
}

const pronounOf = ({ enclitics }: MorphToken): string => enclitics.map(({ form }) => bareForm(form)).join("+");

test.each([
  ["ضاعت حقيبتي في المحطة", "حقيبتي", "حقيبة"],
  ["قريتي بعيدة جدا", "قريتي", "قرية"],
  ["فقدت مفتاح شقتي", "شقتي", "شقة"],
  ["لن أبيع مزرعتي", "مزرعتي", "مزرعة"],
  ["تشاجرت مع مديري في العمل", "مديري", "مدير"],
  ["هذا قراري ولن أتراجع", "قراري", "قرار"],
  ["اشتريت سيارتي أمس", "سيارتي", "سيارة"],
  ["بلدي الجميل بعيد", "بلدي", "بلد"],
])("%s: %s is mine", (text, word, lemma) => {
  const token = readingOf(text, word);
  expect([bareForm(token.lemma), pronounOf(token), token.features.number]).toEqual([bareForm(lemma), "ي", "sing"]);
});

test.each([
  ["زار الوزير مدينتي حلب وحمص", "مدينتي", "dual"],
  ["أغلقت السلطات محطتي القطار", "محطتي", "dual"],
  ["خسر فريقي الأهلي والزمالك", "فريقي", "dual"],
  ["خلال يومي أمس وأول أمس", "يومي", "dual"],
  ["اعتقلت الشرطة مهربي السلاح", "مهربي", "plur"],
])("%s: %s stands before its noun, and is nobody's", (text, word, number) => {
  const token = readingOf(text, word);
  expect([pronounOf(token), token.features.number]).toEqual(["", number]);
});

test.each([
  ["جاء أبوه مع أخيها", "أبوه", "أب", "ه"],
  ["جاء أبوه مع أخيها", "أخيها", "أخ", "ها"],
  ["سلم على حميها", "حميها", "حم", "ها"],
  ["رأيت أباكم أمس", "أباكم", "أب", "كم"],
  ["اتصل بأخينا", "بأخينا", "أخ", "نا"],
  ["تكلم أخوهم عن السفر", "أخوهم", "أخ", "هم"],
])("%s: %s is one of the five nouns with its pronoun", (text, word, lemma, pronoun) => {
  const token = readingOf(text, word);
  expect([bareForm(token.lemma), pronounOf(token)]).toEqual([bareForm(lemma), pronoun]);
});

test.each([
  ["أنا درست الطب ثم كتبت رواية", "كتبت", "1"],
  ["صديقتي سافرت وتركتني وحيدا", "وتركتني", "3"],
  ["كتبت الصحيفة عن الحادث", "كتبت", "3"],
  ["هل تعرف الطريق يا أحمد", "تعرف", "2"],
  ["الوزيرة تعرف الطريق", "تعرف", "3"],
])("%s: who does it in %s is whom the sentence tells of", (text, word, person) => {
  expect(readingOf(text, word).features.person).toBe(person);
});

test("who says my anywhere in a sentence may say it of other words, too", () => {
  expect(pronounOf(readingOf("أبيع سيارتي وبيتي القديم", "وبيتي"))).toBe("ي");
});

test("إنشاء before God's name is a wish, and the noun before others", () => {
  expect(readingOf("سنعود إنشاء الله", "إنشاء")).toMatchObject({ pos: "VERB" });
  expect(readingOf("قررت الحكومة إنشاء المصنع", "إنشاء")).toMatchObject({ pos: "NOUN" });
});

test.each([
  ["اجتمع الاتحاد العام للشغل", "العام", "عَامّ"],
  ["ارتفع الإنتاج العام الماضي", "العام", "عام"],
  ["أنقذ الغواصون آخر أربعة أطفال", "آخر", "آخِر"],
  ["عثر عليه في مكان آخر من المدينة", "آخر", "آخَر"],
  ["فرق شاسع بيننا", "فرق", "فَرق"],
  ["اشترى حافلتين اثنين", "اثنين", "اِثن"],
  ["يوم الاثنين المقبل", "الاثنين", "اِثنَينِ"],
  ["ربح 7 ونصف مليون يورو", "ونصف", "نِصف"],
  ["في شمال شرقي تركيا", "شرقي", "شَرقِيّ"],
  ["جاء أبي إلى البيت", "أبي", "أَب"],
  ["رواه أبي بن كعب", "أبي", "أَبِي"],
  ["بطولة لأقل من 20 سنة", "لأقل", "أَقَلّ"],
  ["تقرير للقوى الكبرى", "للقوى", "قُوَّة"],
])("%s: %s is of the lemma that fits the words around", (text, word, lemma) => {
  expect(readingOf(text, word).lemma.normalize("NFC")).toBe(lemma.normalize("NFC"));
});

test("what is written as a comparative is one before a plural at the head of a clause, and a verb elsewhere", () => {
  expect(readingOf("أبرز أخبار يوم السبت", "أبرز").pos).toBe("ADJ");
  expect(readingOf("أنشئت أحياء جديدة", "أنشئت").pos).toBe("VERB");
  expect(readingOf("إلا أن مدير أعمالها أوضح ما حدث", "أوضح").pos).toBe("VERB");
});

test.each([
  ["وأكدت أن لدينا ما يكفي من الوقت", "وأكدت", "3"],
  ['وقالت الوزيرة: "نحن نعمل"، وأضافت أنها راضية', "وأضافت", "3"],
  ["قالت «نريد السلام» وطالبت بوقف القتال", "وطالبت", "3"],
  ["بعد أن عدت إلى بيتي نمت", "عدت", "1"],
  ["وطالبت لدى وصولها بالتحقيق", "وطالبت", "3"],
  ["نقلت بي بي سي عن مصدر", "نقلت", "3"],
  ["كان ما لفت انتباهي سرعته", "لفت", "3"],
  ["نحن نعلم أن الأمر صعب فلماذا تظل هناك أصوات", "تظل", "3"],
])("%s: %s is said of whom its part of the sentence tells", (text, word, person) => {
  expect(readingOf(text, word).features.person).toBe(person);
});

test.each([
  ["قال وزير الخارجية الهولندي ستيف بلوك إن", "بلوك", "بلوك"],
  ["بقيادة نجم الوسط لوكا مودريتش وسط", "لوكا", "لوكا"],
  ["قال المتحدث فابيان ماينفيش لوكالة", "فابيان", "فابيان"],
  ["وقال البروفيسور جدعون لاك من كلية", "لاك", "لاك"],
  ["قالت سارة ساندرز للصحفيين", "سارة", "سارة"],
])("%s: %s is a part of a name", (text, word, lemma) => {
  expect(readingOf(text, word)).toMatchObject({ lemma, pos: "PROPN", proclitics: [] });
});

test("what is joined to a word behind a name, or begins with an article, stays what it is", () => {
  expect(readingOf("ويسعى بايرن لحصد الألقاب", "لحصد").pos).toBe("NOUN");
  expect(bareForm(readingOf("لعب خاميس وتوماس في الفريق", "وتوماس").lemma)).toBe("توماس");
});

test.each([
  ["اتصل بالحارس الإيطالي جانلويجي بوفون", "الإيطالي", "ADJ"],
  ["وأعلنت موافقتها السابقة على البناء", "السابقة", "ADJ"],
  ["تصدى للعناصر الإرهابية في المدينة", "الإرهابية", "ADJ"],
  ["هذا موقف لمشاعر العرب والمسلمين", "العرب", "NOUN"],
  ["أكبر الشركات العديد منها أفلس", "العديد", "NOUN"],
  ["دفع المدير مبلغا كبيرا لأطفالهن", "لأطفالهن", "NOUN"],
  ["درسوا تجارب 1600 من الأمهات", "تجارب", "NOUN"],
  ["قالت وكالة معايير الغذاء", "معايير", "NOUN"],
])("%s: %s is a %s", (text, word, pos) => {
  expect(readingOf(text, word).pos).toBe(pos);
});

test.each([
  ["يشارك فيه جميع من لهم نفوذ", "لهم", "ل"],
  ["محاولة الوصول إلى عائلته والالتقاء بهم", "بهم", "ب"],
  ["أصبحوا يشعرون كأنهم يشاهدون فيلما", "كأنهم", "كان"],
  ["تراهن الشركة على الطائرة", "تراهن", "راهن"],
  ["لا شك في ان القرارات مهمة", "ان", "ان"],
  ["الا ان هناك من يرفض", "الا", "الا"],
  ["الابنة الأكبر بين 14 ابنا للعائلة", "ابنا", "ابن"],
])("%s: %s is of the lemma %s", (text, word, lemma) => {
  expect(bareForm(readingOf(text, word).lemma)).toBe(lemma);
});

test.each([
  ["والقتل مع سبق الإصرار", "سبق", "NOUN"],
  ["قضية فض اعتصام الطلاب", "فض", "NOUN"],
  ["لم يكتف بذلك إذ تبادل أطراف الحديث معه", "تبادل", "VERB"],
  ["نشرت الصحيفة بيانا مما فتح الباب أمام الجدل", "فتح", "VERB"],
  ["وجه رسالة طلب فيها الدعم", "طلب", "VERB"],
  ["اجتمع مع وزير الخارجية الروسي", "الخارجية", "PROPN"],
  ["أكدت قيام صبري بإدارة الموقع", "قيام", "NOUN"],
  ["بحسب استفتاء أبريل الماضي", "استفتاء", "NOUN"],
  ["قال عصام سلطان نائب رئيس الحزب", "سلطان", "PROPN"],
])("%s: %s is a %s by what stands before it", (text, word, pos) => {
  expect(readingOf(text, word).pos).toBe(pos);
});

test("what he did is no verb of a woman: أنه تحدث", () => {
  expect(readingOf("وأضاف أنه تحدث مع الرئيس عن مشاركته", "تحدث").features).toMatchObject({ aspect: "perf" });
  expect(readingOf("وأضاف أنها تحدث الرئيس", "تحدث").features.gender).toBe("fem");
});

test.each([
  ["تغيب الوزير عن الجلسة", "تغيب", "تغيب"],
  ["تعرض اللاعب للإصابة", "تعرض", "تعرض"],
  ["تعرض الشركة منتجاتها", "تعرض", "عرض"],
  ["تقدم الجيش شمالا", "تقدم", "تقدم"],
  ["تقدم الشرطة بيانا", "تقدم", "قدم"],
  ["تحمل السفينة وقودا", "تحمل", "حمل"],
  ["تحمل الوزير المسؤولية", "تحمل", "تحمل"],
])("%s: the verb is of the gender of its subject", (text, word, lemma) => {
  const { pos, lemma: own } = readingOf(text, word);
  expect([pos, bareForm(own)]).toEqual(["VERB", lemma]);
});

test("سيدي is the beginning of a name before one, and sir behind يا and elsewhere", () => {
  const readings = ["مدينة سيدي بوزيد", "يا سيدي بوزيد", "قال سيدي إن"].map((text) => readingOf(text, "سيدي"));
  expect(readings.map(({ lemma, pos }) => `${bareForm(lemma)} ${pos}`)).toEqual(["سيدي PROPN", "سيد NOUN", "سيد NOUN"]);
});

test("what is an accusative is no name behind a preposition; God is called upon", () => {
  expect(readingOf("اشترى بيوتا كثيرة", "بيوتا")).toMatchObject({ pos: "NOUN", root: "ب ي ت", proclitics: [] });
  expect(readingOf("سافر إلى ولاية يوتا", "يوتا").pos).toBe("PROPN");
  expect(readingOf("اللهم إني أسألك", "اللهم").pos).toBe("INTJ");
});

test.each([
  ["ألغيت المباراة طبقا لما نقلته الصحف", "طبقا", "طبق", "NOUN"],
  ["وتبعا لذلك رفض", "وتبعا", "تبع", "NOUN"],
  ["أنت يا بنت البلد", "بنت", "بنت", "NOUN"],
  ["بنت الشركة مصنعا", "بنت", "بنى", "VERB"],
  ["في محافظة نينوى", "نينوى", "نينوى", "PROPN"],
  ["تكون أضعف من غيرها", "أضعف", "أضعف", "ADJ"],
  ["قد أضعف القرار الحكومة", "أضعف", "أضعف", "VERB"],
  ["حقق الشاب أمنيته أمس", "أمنيته", "أمنية", "NOUN"],
])("%s: %s is %s, %s", (text, word, own, upos) => {
  const { lemma, pos } = readingOf(text, word);
  expect([bareForm(lemma), pos]).toEqual([bareForm(own), upos]);
});
