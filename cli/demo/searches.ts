/** A search that the demo shows: what it is there to show, and the article that should come first. */
export type DemoSearch = {
  caption: string;
  query: string;
  mode: "bm25" | "vector" | "hybrid";
  /** The article (its external id) that answers it. */
  answer: string;
};

/** The searches of the demo, in the order in which they are shown. */
export const searches: readonly DemoSearch[] = [
  { caption: "By word", query: "سعر الفائدة", mode: "bm25", answer: "central-bank-rate" },
  {
    caption: "By meaning: no word of the query is in the article",
    query: "stolen antiquities",
    mode: "vector",
    answer: "museum-bronzes",
  },
  {
    caption: "Across languages: an Arabic question, an English article",
    query: "لماذا لا تنفع المضادات الحيوية؟",
    mode: "hybrid",
    answer: "antibiotic-resistance",
  },
];

/** The question that the demo asks of the articles. */
export const QUESTION = "كم بلغت كلفة الرصيف الجديد في ميناء مرسى نور؟";
/** The article (its external id) that the demo has summarised. */
export const SUMMARISED = "port-third-berth";
