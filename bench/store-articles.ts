import { randomUUID } from "node:crypto";
import type { AdmissionItem } from "@isnad/lib/store";
import { testItem } from "@isnad/lib/store/testing";

const arabic = "قال وزير الخارجية في مؤتمر صحفي اليوم إن المحادثات بين الجانبين حققت تقدما كبيرا نحو اتفاق شامل".split(
  " ",
);
const english =
  "the minister said on monday that talks between both sides had made progress towards a wider deal".split(" ");

/** New items with bodies of about 400 words, Arabic and English in turn, each unlike any other. */
export function makeItems(count: number, sourceId = "bench"): AdmissionItem[] {
  return Array.from({ length: count }, (_, i) => {
    const words = i % 2 === 0 ? arabic : english;
    const id = randomUUID();
    const body = Array.from({ length: 400 }, () => words[Math.floor(Math.random() * words.length)]).join(" ");
    const content = `${id} ${body}`;
    const url = `https://news.example/${id}`;
    return testItem({
      sourceId,
      externalId: id,
      url,
      title: `${words.slice(0, 9).join(" ")} ${id}`,
      content,
      lang: i % 2 === 0 ? "ar" : "en",
      authors: ["A. Writer"],
      images: [`${url}/image.jpg`],
      raw: { provider: "bench", section: "politics" },
      categoryLabel: "politics",
      provider: "bench",
    });
  });
}
