/** What the built-in model says in its own words; all else in its answers is quoted. */
export const PHRASES = {
  ar: {
    nothing: "لا يوجد في المقالات المتاحة ما يجيب عن هذا السؤال.",
    noMaterial:
      "يجيب النموذج المدمج باقتباس جمل من المقالات، ولا يوجد في هذه المحادثة نص يقتبس منه. فعّل grounded أو اضبط LLM_URL لنموذج يولّد النصوص.",
  },
  en: {
    nothing: "Nothing in the available articles answers this question.",
    noMaterial:
      "The built-in model answers by quoting sentences of articles, and this conversation holds no text to quote. Turn `grounded` on, or set LLM_URL to a model that writes.",
  },
} as const;
