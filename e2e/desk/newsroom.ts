import { type DemoArticle, readNewsroom } from "../../cli/demo/site.ts";

/** The sources of the archive; the first wrote what the others took. */
const SOURCES = ["almarsa", "harbour-post", "al-jarida", "sahlan-wire"] as const;

/** An item of the ingest route. */
export type Item = Record<string, unknown> & { external_id: string; source_id: string };

/** Articles that others take from the newsroom, by their slugs: each with a credit, the last one cut short. */
const TAKEN: readonly string[] = ["central-bank-rate", "budget-vote", "museum-bronzes"];

/** Letters without a space, markup and controls of direction, where a source would have written a text. */
const HOSTILE = {
  word: "ب".repeat(5_000) + "w".repeat(5_000),
  markup: `<script>alert(1)</script><img src=x onerror="alert(2)"> & "quoted" 'single'`,
  controls: "\u202eturned round\u202c \u2067isolated\u2069 \u200f",
};

/** A text that carries all of it, as short as the shortest field is. */
export const HOSTILE_TEXT = `${HOSTILE.markup} ${HOSTILE.controls} ${"w".repeat(250)}`.slice(0, 250);

/**
 * Returns the articles of the archive that pages are looked at with: the demo's newsroom, brought forward so that its
 * newest article is of today, what three sources took from it, and one that carries what no article should.
 */
export function deskArchive(now: number = Date.now()): Item[] {
  const newsroom = readNewsroom();
  const newest = Math.max(...newsroom.map(({ publishedAt }) => Date.parse(publishedAt)));
  const shift = now - 3 * 3_600_000 - newest;
  const moved = (at: string, minutes = 0) => new Date(Date.parse(at) + shift + minutes * 60_000).toISOString();
  // What others took is of today, so that the first page has stories.
  const timeOf = ({ slug, publishedAt }: DemoArticle, minutes = 0) => {
    const place = TAKEN.indexOf(slug);
    const today = new Date(now - (place + 5) * 3_600_000).toISOString();
    return place < 0 ? moved(publishedAt, minutes) : new Date(Date.parse(today) + minutes * 60_000).toISOString();
  };
  const items: Item[] = newsroom.map((article, i) => {
    const { slug, lang, title, content, author, section } = article;
    return {
      ...{ source_id: lang === "ar" ? SOURCES[0] : SOURCES[1], external_id: `${lang}-${slug}`, title, content, lang },
      ...{ url: `https://${lang === "ar" ? "almarsa" : "harbour-post"}.example/${slug}`, authors: [author] },
      ...{
        category: section,
        published_at: timeOf(article),
        images: i % 3 === 0 ? [`https://img.example/${slug}`] : [],
      },
    };
  });
  const copies = TAKEN.flatMap((slug): Item[] => {
    const origin = newsroom.find((article) => article.slug === slug);
    if (origin === undefined) return [];
    const { lang, title, content } = origin;
    const credit = lang === "ar" ? "بحسب صحيفة المرسى، " : "According to the Harbour Post, ";
    const paragraphs = content.split("\n\n");
    const more = lang === "ar" ? "وأضافت الصحيفة أن تفاصيل أخرى ستُنشر لاحقًا." : "More details will follow, it said.";
    return [
      ...[
        { source: SOURCES[2], text: `${credit}${content}`, minutes: 42, head: title },
        { source: SOURCES[3], text: `${paragraphs.slice(0, 2).join("\n\n")}\n\n${more}`, minutes: 95, head: title },
      ].map(({ source, text, minutes, head }) => ({
        ...{ source_id: source, external_id: `${source}-${slug}`, title: head, content: text, lang },
        ...{ url: `https://${source}.example/${slug}`, published_at: timeOf(origin, minutes) },
      })),
    ];
  });
  const { word, markup, controls } = HOSTILE;
  const hostile: Item = {
    ...{ source_id: "hostile", external_id: "hostile-1", url: "https://hostile.example/1", lang: "en" },
    title: `${markup} ${controls} ${"w".repeat(300)}`.slice(0, 500),
    content: `The <b>ministry</b> said inflation fell to 4.2 per cent in October, the lowest since 2019. Exports rose by 12 per cent to 410 million dinars last year, the central bank said. ${controls} ${word} AT&amp;T &lt;b&gt;bold&lt;/b&gt; `,
    ...{ authors: [`${"o".repeat(200)} ${markup}`.slice(0, 250)], category: `${markup}`.slice(0, 60) },
    published_at: moved(new Date(newest).toISOString(), 10),
  };
  return [...items, ...copies, hostile];
}
