/** An article as the ingest route takes it. */
export type Article = { source_id: string; external_id: string; url: string; title: string; content: string };

const ENGLISH =
  `harbour council ferry winter market boat sunrise meeting owner timetable bridge river school teacher hospital
doctor budget minister election village road train station museum garden festival library rain storm coast island`.split(
    /\s+/,
  );
const ARABIC =
  `ميناء مجلس عبارة شتاء سوق قارب شروق اجتماع صاحب جدول جسر نهر مدرسة معلم مستشفى طبيب ميزانية وزير انتخاب قرية
طريق قطار محطة متحف حديقة مهرجان مكتبة مطر عاصفة ساحل جزيرة`.split(/\s+/);
const GLUE = { en: ["the", "of", "and", "in", "was"], ar: ["في", "من", "على", "إلى", "كان"] };

/** A stream of pseudo-random numbers from 0 to 1 (mulberry32): the same seed, the same stream. */
export function randoms(seed: number): () => number {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Article number `n` of a made-up newspaper, every third one in Arabic; no two have the same content. */
export function madeUpArticle(n: number): Article {
  const random = randoms(n + 1);
  const lang = n % 3 === 0 ? "ar" : "en";
  const words = lang === "ar" ? ARABIC : ENGLISH;
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const sentence = () => `${Array.from({ length: 12 }, () => `${pick(words)} ${pick(GLUE[lang])}`).join(" ")}.`;
  const content = `${Array.from({ length: 6 + Math.floor(random() * 12) }, sentence).join(" ")} ${n}`;
  const title = `${pick(words)} ${pick(words)} ${n}`;
  return { source_id: "made-up", external_id: String(n), url: `https://news.example/${n}`, title, content };
}
