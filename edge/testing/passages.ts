/** A hit of `POST /retrieve` for tests. */
export function hit(articleId: number, title: string, passage: string, rerankScore = 3) {
  const url = `https://news.test/${articleId}`;
  const passages = [{ text: passage, offsets: { start: 0, end: [...passage].length } }];
  const published_at = "2024-05-06T07:08:09.000Z";
  return { article_id: articleId, title, url, published_at, passages, rerank_score: rerankScore };
}

/** Two articles, one in each language. */
export const HITS = [
  hit(
    11,
    "Rail line opens in the north",
    "The new rail line between Sahlan and Noma opened on Monday. It cost 410 million dinars and took six years to build. Ministers posed for photographs on the platform.",
  ),
  hit(
    12,
    "افتتاح محطة تحلية المياه",
    "افتتح الوزير محطة تحلية المياه في وادي سنا يوم الثلاثاء. وبلغت كلفة المحطة 90 مليون دينار. وحضر الافتتاح عدد من السكان.",
  ),
];

/** A chunk as `POST /passages` gives it. */
export function passage(no: number, over: Record<string, unknown> = {}) {
  return {
    doc_id: `00000000-0000-7000-8000-${String(no).padStart(12, "0")}`,
    article_id: no,
    chunk_no: 0,
    title: `Title ${no}`,
    text: `Text number ${no} of the harbour.`,
    url: `https://news.test/${no}`,
    lang: "en",
    source: "demo",
    published_at: "2024-05-06T07:08:09.000Z",
    score: 1 - no / 10,
    ...over,
  };
}
