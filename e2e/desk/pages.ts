import type { DeskArchive } from "./archive.ts";

/** A page that is looked at: its path, or what is filled in there and sent, and what is shown then. */
export type DeskPage = string | { path: string; fill: Readonly<Record<string, string>>; submit: string; shows: string };

/** Returns the pages that are looked at, by the names of their pictures. */
export function pagesOf({ articles, stories, hostile }: DeskArchive): Record<string, DeskPage> {
  const article = (externalId: string) => `/articles/${articles.get(externalId)}`;
  return {
    today: "/",
    claims: "/claims?sort=newest",
    claim: "/claims/1",
    "claim-hostile": `/claims/${hostile.claim}`,
    "claim-preview": {
      ...{ path: `/claims/${hostile.claim}`, fill: { "#publisher": hostile.text, "#rating_text": hostile.text } },
      ...{ submit: "button[value=preview]", shows: "form pre" },
    },
    matched: {
      ...{ path: "/claims", fill: { "#match-text": "أبقى المصرف المركزي سعر الفائدة عند 4.75 في المئة" } },
      ...{ submit: "form[action='/claims/match'] button", shows: "main > .narrow" },
    },
    ask: `/ask?q=${encodeURIComponent("كم أبقى المصرف المركزي سعر الفائدة؟")}`,
    "ask-further": `/ask?${new URLSearchParams([
      ...[["q", "ومتى يدخل القرار حيز التنفيذ؟"] as [string, string]],
      ...[["asked", "كم أبقى المصرف المركزي سعر الفائدة؟"] as [string, string]],
      ...[["article", String(articles.get("ar-central-bank-rate"))] as [string, string]],
    ])}`,
    "ask-none": `/ask?q=${encodeURIComponent("What is the melting point of tungsten?")}`,
    analyse: "/analyse",
    analysed: {
      ...{ path: "/analyse", fill: { "#text": `${ANALYSED} ${hostile.text}` } },
      ...{ submit: "main form button", shows: ".words" },
    },
    sources: "/sources",
    source: "/sources/almarsa",
    "source-hostile": "/sources/hostile",
    state: "/state",
    search: "/search?q=%D8%A7%D9%84%D9%85%D9%8A%D9%86%D8%A7%D8%A1",
    "search-all": "/search",
    "search-grouped": "/search?q=port&group=story&mode=hybrid",
    "search-none": "/search?q=zzzqqqxx&source=almarsa&typos=off",
    "search-refused": "/search?q=port&from=never",
    searches: "/searches",
    article: article("ar-central-bank-rate"),
    "article-copied": article("sahlan-wire-museum-bronzes"),
    "article-hostile": article("hostile-1"),
    revisions: `${article("ar-central-bank-rate")}/revisions`,
    ...(stories[0] !== undefined && { story: `/stories/${stories[0]}` }),
    "not-found": "/articles/999999999",
  };
}

const ANALYSED =
  "أعلن وزير الخارجية المصري في القاهرة يوم الأحد أن جامعة الدول العربية ستعقد اجتماعًا طارئًا، وقال إن 12 دولة وافقت على الحضور.";
