import { inBoth } from "./common.ts";

/** Holds what the page of questions says. */
export const ask = inBoth({
  en: {
    title: "Ask",
    lead: "Answers are made of the archive's own sentences, each with its article.",
    question: "Your question",
    placeholder: "Who …? When …? How many …?",
    submit: "Ask",
    reading: "Reading the archive …",
    unsupported: "Not in the source:",
    sources: "What was read",
    sourceNumber: (n: number) => `Source ${n}`,
    only: { article: "Only this article is read", story: "Only this story is read", other: "Only what passes is read" },
    everything: "Read the whole archive",
    further: "Ask further …",
    begin: "A new question",
    about: { article: "Ask about this article", story: "Ask about this story", other: "Ask these articles" },
    broken: "The answer broke off. Ask again.",
  },
  ar: {
    title: "اسأل",
    lead: "تُصاغ الإجابة من جمل الأرشيف نفسه، ومع كل جملة مقالها.",
    question: "سؤالك",
    placeholder: "مَن …؟ متى …؟ كم …؟",
    submit: "اسأل",
    reading: "يُقرأ الأرشيف …",
    unsupported: "ليس في المصدر:",
    sources: "ما قُرئ",
    sourceNumber: (n: number) => `المصدر ${n}`,
    only: { article: "لا يُقرأ إلا هذا المقال", story: "لا تُقرأ إلا هذه القصة", other: "لا يُقرأ إلا ما يوافق الشروط" },
    everything: "اقرأ الأرشيف كله",
    further: "تابع السؤال …",
    begin: "سؤال جديد",
    about: { article: "اسأل عن هذا المقال", story: "اسأل عن هذه القصة", other: "اسأل هذه المقالات" },
    broken: "انقطعت الإجابة. اسأل من جديد.",
  },
});
