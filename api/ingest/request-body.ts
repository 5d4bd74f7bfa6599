import { z } from "@isnad/lib/service/http";
import { IngestItem } from "@isnad/lib/contract";

/** The request body: one item, or a batch. */
export const ingestBody = (maxBatch: number) =>
  z.union([z.object({ articles: z.array(IngestItem).min(1).max(maxBatch) }), IngestItem]);

/** What the documentation shows as a request. */
export const EXAMPLE = {
  articles: [
    {
      source_id: "alwatan",
      external_id: "2024-0815",
      url: "https://alwatan.example/news/815",
      title: "افتتاح خط قطار جديد يربط الساحل بالعاصمة",
      content: `${"بدأ صباح اليوم تشغيل خط القطار الجديد الذي يربط مدن الساحل بالعاصمة في أقل من ساعتين. ".repeat(3)}`,
      lang: "ar",
      published_at: "2024-05-06T07:00:00Z",
      category_label: "محليات",
      provider: "alwatan",
    },
  ],
};
