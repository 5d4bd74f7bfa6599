import { LIMITS } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import { described, section } from "./described.ts";
import { Selector } from "./selector.ts";
import { WebUrl } from "./web-url.ts";

const category = () =>
  described(z.string().min(1).max(LIMITS.category).optional(), {
    en: "Category of everything found here: a canonical one, or a label that category_map translates.",
    ar: "تصنيف كل ما يوجد هنا: تصنيف معتمد، أو تسمية يترجمها category_map.",
  });

/** A feed of a profile. */
export const Feed = section({
  url: described(WebUrl, {
    en: "Address of an RSS, Atom, RDF or JSON feed.",
    ar: "عنوان خلاصة RSS أو Atom أو RDF أو JSON.",
  }),
  category: category(),
});

/** A news sitemap of a profile. */
export const Sitemap = section({
  url: described(WebUrl, {
    en: "Address of a news sitemap or of an index of such.",
    ar: "عنوان خريطة موقع إخبارية أو فهرس لها.",
  }),
  category: category(),
});

/** A page of a profile whose links lead to articles. */
export const ListPage = section({
  url: described(WebUrl, { en: "Address of a page that lists articles.", ar: "عنوان صفحة تسرد المقالات." }),
  link_selector: described(Selector, {
    en: "CSS selector of the links that lead to articles.",
    ar: "محدِّد CSS للروابط المؤدية إلى المقالات.",
  }),
  next: described(Selector.optional(), {
    en: "CSS selector of the link to the next page of the list; rel=next unless given.",
    ar: "محدِّد CSS للرابط إلى الصفحة التالية من القائمة؛ rel=next ما لم يُحدَّد.",
  }),
  max_pages: described(z.int().min(1).max(50).optional(), {
    en: "Most pages of the list that one run reads; 1, and 5 where next is given.",
    ar: "أقصى عدد من صفحات القائمة يقرؤه التشغيل الواحد؛ 1، و5 حين يُحدَّد next.",
  }),
  category: category(),
});
