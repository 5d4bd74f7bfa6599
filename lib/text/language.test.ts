import { expect, test } from "bun:test";
import { detectLanguage } from "./language.ts";

const texts = {
  ar: [
    "أعلنت وزارة الصحة اليوم عن افتتاح مستشفى جديد في العاصمة بعد عامين من العمل.",
    "اعلنت وزارة الصحه الیوم عن افتتاح مستشفی جدید فی العاصمه بعد عامین من العمل",
    "مَرْحَبًا بِكُمْ فِي مَدِينَةِ مَرَّاكُش",
    "زيارة چيهان إلى ڤيينا وپاريس مع گوگل",
    "كيف الطقس",
    "ﻗﺎﻝ ﺍﻟﻮﺯﻳﺮ ﺇﻥ ﺍﻟﻤﺸﺮﻭﻉ ﺳﻴﺒﺪﺃ",
  ],
  en: [
    "The ministry said on Tuesday that a new hospital would open in the capital after two years of work.",
    "What is the capital of Morocco?",
    "Shr loss two cts vs profit two cts. Net profit 253,000 vs profit 356,000. Revs 17.5 mln vs 12.3 mln for the year to date",
    "climate change",
    "This is a test article.",
    "Title of a plain article",
    "An accident on a bridge",
    "Beyoncé and Jürgen Klopp met in the café",
  ],
  other: [
    "وزارت بهداشت اعلام کرد که بیمارستان جدید در پایتخت پس از دو سال کار افتتاح شد و این را برای مردم گشود",
    "وزارت صحت نے اعلان کیا ہے کہ دارالحکومت میں ایک نیا ہسپتال کھولا گیا ہے",
    "Le ministère de la Santé a annoncé mardi l'ouverture d'un nouvel hôpital dans la capitale après deux ans de travaux.",
    "El ministerio anunció el martes que un nuevo hospital abrirá en la capital después de dos años de obras.",
    "Um novo hospital foi aberto a sul da capital",
    "Egy új kórház nyílt a fővárosban, és ez a második",
    "Das Ministerium teilte am Dienstag mit, dass ein neues Krankenhaus in der Hauptstadt eröffnet wird.",
    "Sağlık Bakanlığı salı günü başkentte yeni bir hastane açılacağını ve bunun iki yıl sürdüğünü açıkladı.",
    "Министерство здравоохранения объявило об открытии новой больницы в столице.",
    "Terveysministeriö ilmoitti tiistaina, että pääkaupunkiin on avattu uusi sairaala ja se on valmis.",
    "Wizara ya Afya ilitangaza Jumanne kwamba hospitali mpya itafunguliwa katika mji mkuu baada ya miaka miwili ya kazi",
    "Ang Kagawaran ng Kalusugan ay nagpahayag na ang bagong ospital ay bubuksan sa kabisera",
    "卫生部周二宣布首都将开设一家新医院。",
    "وەزارەتی تەندروستی ڕایگەیاند کە نەخۆشخانەیەکی نوێ لە پایتەخت کرایەوە",
  ],
} as const;

for (const [lang, examples] of Object.entries(texts)) {
  test(`texts in ${lang === "other" ? "other languages" : lang} are recognised`, () => {
    for (const text of examples)
      expect({ text, lang: detectLanguage(text).lang }).toEqual({ text, lang: lang as "ar" });
  });
}

test("a foreign quotation does not change the language of a text", () => {
  expect(detectLanguage("قال المتحدث إن برنامج The Voice سيعود في الموسم المقبل على قناة MBC مصر").lang).toBe("ar");
  expect(detectLanguage("The word سلام means peace, and it is used as a greeting in many countries").lang).toBe("en");
});

test("a text without letters is of no language", () => {
  for (const text of ["", "123 456", "؟!", "\u{1F600}", "\ud800"]) {
    expect(detectLanguage(text)).toEqual({ lang: "other", confidence: 0 });
  }
});

test("confidence lies in 0 to 1 and is higher for a longer text", () => {
  const short = detectLanguage("capital city").confidence;
  const long = detectLanguage(texts.en[0]).confidence;
  expect(short).toBeGreaterThan(0);
  expect(long).toBeGreaterThan(short);
  expect(long).toBeLessThanOrEqual(1);
});
