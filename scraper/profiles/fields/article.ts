import { z } from "@isnad/lib/service/http";
import { described, section } from "./described.ts";
import { Selector } from "./selector.ts";

/** Where the parts of an article are on its page. */
const parts = {
  title: described(Selector.optional(), { en: "CSS selector of the headline.", ar: "محدِّد CSS للعنوان." }),
  content: described(Selector.optional(), { en: "CSS selector of the text.", ar: "محدِّد CSS لنص المقال." }),
  published_at: described(Selector.optional(), {
    en: "CSS selector of the time of publication: its datetime or content attribute, else its text.",
    ar: "محدِّد CSS لوقت النشر: السمة datetime أو content، وإلا فالنص.",
  }),
  author: described(Selector.optional(), { en: "CSS selector of the authors.", ar: "محدِّد CSS لأسماء الكتّاب." }),
  image: described(Selector.optional(), { en: "CSS selector of the lead image.", ar: "محدِّد CSS للصورة الرئيسية." }),
  remove: described(z.array(Selector).max(100).default([]), {
    en: "CSS selectors of what is taken out before anything is read.",
    ar: "محدِّدات CSS لما يُحذف قبل القراءة.",
  }),
};

/** The parts of an article on today's pages. */
export const Article = section({
  ...parts,
  next_page: described(Selector.optional(), {
    en: "CSS selector of the link to the next page of the same article; rel=next of the same address unless given.",
    ar: "محدِّد CSS للرابط إلى الصفحة التالية من المقال نفسه؛ rel=next للعنوان نفسه ما لم يُحدَّد.",
  }),
  max_pages: described(z.int().min(1).max(20).optional(), {
    en: "Most pages of one article, 10 unless given; 1 follows no such link.",
    ar: "أقصى عدد من صفحات المقال الواحد، 10 ما لم يُحدَّد؛ ومع 1 لا يُتبع أي رابط من هذا النوع.",
  }),
});

/** The parts of an article on the pages of a former design. */
export const ArticleVersion = section({
  until: described(z.iso.date(), {
    en: "The last day of that design, for instance 2024-05-31.",
    ar: "آخر أيام ذلك التصميم، مثل 2024-05-31.",
  }),
  ...parts,
});
