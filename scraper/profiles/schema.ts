import { LIMITS } from "@isnad/lib/contract";
import { z } from "@isnad/lib/service/http";
import {
  Article,
  ArticleVersion,
  Auth,
  described,
  Feed,
  Headers,
  ListPage,
  Schedule,
  section,
  Sitemap,
  TimeZone,
  UrlPattern,
  WebUrl,
} from "./fields.ts";

/** A profile as the service works with it: checked, defaults filled in. */
export type Profile = Omit<z.output<ReturnType<typeof createProfileSchema>>, "$schema">;

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const slug = () =>
  z.string().regex(SLUG, { error: "must be 1 to 64 of a-z, 0-9, _ and -, and begin with none of these two" });

const Source = section({
  id: described(z.string().min(1).max(LIMITS.sourceId), {
    en: "The source_id that articles carry; one profile only may use it.",
    ar: "معرّف المصدر الذي تحمله المقالات؛ لا يستعمله إلا ملف تعريف واحد.",
  }),
  name: described(z.string().min(1).max(200), {
    en: "Name of the source as readers see it.",
    ar: "اسم المصدر كما يراه القرّاء.",
  }),
  tier: described(z.int().min(1).max(3), {
    en: "Trust in the source: 1 the most, 3 the least.",
    ar: "درجة الثقة بالمصدر: 1 أعلاها و3 أدناها.",
  }),
  homepage: described(WebUrl, { en: "Front page of the source.", ar: "الصفحة الرئيسية للمصدر." }),
});

const Politeness = section({
  min_delay_ms: described(z.int().min(0).max(600_000).default(1000), {
    en: "From the start of one request to a host to the start of the next, in milliseconds.",
    ar: "المدة بين بدء طلب إلى المضيف وبدء الطلب التالي، بالميلي ثانية.",
  }),
  concurrency: described(z.int().min(1).max(16).default(1), {
    en: "Requests to one host under way at once.",
    ar: "عدد الطلبات المتزامنة إلى المضيف الواحد.",
  }),
  user_agent: described(
    z
      .string()
      .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/, { error: "must be 1 to 256 visible ASCII characters" })
      .optional(),
    {
      en: "User-Agent of the requests; the scraper's own unless given. robots.txt is read for its first word.",
      ar: "قيمة User-Agent للطلبات؛ قيمة الزاحف نفسه ما لم تُحدَّد. ويُقرأ robots.txt بحسب كلمتها الأولى.",
    },
  ),
  respect_robots: described(z.boolean().default(true), {
    en: "Whether robots.txt is obeyed. Turn off only with the publisher's consent.",
    ar: "هل يُلتزم بملف robots.txt. لا تعطّله إلا بموافقة الناشر.",
  }),
});

const Limits = section({
  max_articles: described(z.int().min(1).max(10_000).default(200), {
    en: "Most articles that one run fetches.",
    ar: "أقصى عدد من المقالات يجلبه التشغيل الواحد.",
  }),
  max_age_days: described(z.int().min(1).max(36_500).default(7), {
    en: "Articles whose feed dates them earlier are passed over, in days.",
    ar: "تُهمَل المقالات التي تؤرَّخ قبل هذا العدد من الأيام.",
  }),
  revisited_articles: described(z.int().min(0).max(1_000).default(50), {
    en: "The newest articles that are visited again an hour, six hours, a day and three days after they were found, so that a silent correction or withdrawal is noticed; 0: none.",
    ar: "أحدث المقالات التي تُزار ثانيةً بعد ساعة وست ساعات ويوم وثلاثة أيام من العثور عليها، ليُلحظ ما صُحّح أو سُحب دون إعلان؛ 0: لا شيء.",
  }),
});

/**
 * Returns the schema of a profile file; `categories` are the canonical ones. Messages name the rule, as the operator
 * reads them.
 */
export function createProfileSchema(categories: readonly string[]) {
  return createProfileFields(categories).check((ctx) => {
    const { feeds, sitemaps, list_pages, category_map } = ctx.value;
    if (feeds.length + sitemaps.length + list_pages.length === 0) {
      const message = "must have at least one of feeds, sitemaps and list_pages";
      ctx.issues.push({ code: "custom", message, input: ctx.value, path: [] });
    }
    const labels = new Set([...categories, ...Object.keys(category_map)]);
    for (const [field, pages] of Object.entries({ feeds, sitemaps, list_pages })) {
      for (const [i, page] of pages.entries()) {
        if (page.category === undefined || labels.has(page.category)) continue;
        const message = `"${page.category}" is neither a canonical category nor a label of category_map`;
        ctx.issues.push({ code: "custom", message, input: page.category, path: [field, i, "category"] });
      }
    }
  });
}

/** Returns the fields of a profile, each checked by itself; `categories` are the canonical ones. */
export function createProfileFields(categories: readonly string[]) {
  return section({
    $schema: described(z.string().optional(), {
      en: "Where editors find this schema.",
      ar: "موضع هذا المخطط لبرامج التحرير.",
    }),
    name: described(slug(), {
      en: "Name of the profile, and of its file without .json.",
      ar: "اسم ملف التعريف، وهو اسم الملف نفسه دون .json.",
    }),
    provider: described(slug(), {
      en: "Key of the provider: health and metrics are kept by it, and it picks the map of category labels.",
      ar: "مفتاح المزوّد: تُحفظ به الحالة الصحية والقياسات، ويُختار به جدول تسميات التصنيفات.",
    }),
    enabled: described(z.boolean().default(true), {
      en: "Whether scheduled runs and scrapes without a list of sources include it.",
      ar: "هل يشمله التشغيل المجدول والكشط الذي لا يسمّي مصادر.",
    }),
    language: described(z.enum(["ar", "en"]), {
      en: "Language of the source: ar or en.",
      ar: "لغة المصدر: ar أو en.",
    }),
    schedule: described(Schedule, {
      en: "Cron expression of five fields: minute, hour, day of month, month, day of week.",
      ar: "تعبير cron من خمسة حقول: الدقيقة والساعة ويوم الشهر والشهر ويوم الأسبوع.",
    }),
    timezone: described(TimeZone.default("UTC"), {
      en: "IANA time zone of the schedule, and of times on pages that name none.",
      ar: "المنطقة الزمنية (IANA) للجدول، وللأوقات التي لا تذكر منطقتها.",
    }),
    source: described(Source, {
      en: "The source that the articles belong to.",
      ar: "المصدر الذي تنتمي إليه المقالات.",
    }),
    feeds: described(z.array(Feed).max(100).default([]), { en: "Feeds to read.", ar: "الخلاصات التي تُقرأ." }),
    sitemaps: described(z.array(Sitemap).max(100).default([]), {
      en: "News sitemaps to read.",
      ar: "خرائط الموقع الإخبارية التي تُقرأ.",
    }),
    list_pages: described(z.array(ListPage).max(100).default([]), {
      en: "Pages whose links lead to articles.",
      ar: "صفحات تؤدي روابطها إلى المقالات.",
    }),
    article: described(Article.optional(), {
      en: "Where the parts of an article are on its page; what is not given is found in general.",
      ar: "مواضع أجزاء المقال في صفحته؛ وما لم يُحدَّد يُستخرج تلقائيًا.",
    }),
    article_versions: described(z.array(ArticleVersion).max(20).default([]), {
      en: "The parts on pages of before a redesign: where `article` matches nothing, or the article is of that time.",
      ar: "مواضع الأجزاء في صفحات ما قبل تغيير التصميم: حين لا يطابق `article` شيئًا أو يكون المقال من ذلك الزمن.",
    }),
    keep: described(z.array(UrlPattern).max(100).default([]), {
      en: "Only articles whose path, with its query, matches one of these are taken; all of them unless given.",
      ar: "لا يؤخذ إلا ما طابق مسارُه (مع الاستعلام) واحدًا من هذه الأنماط؛ ويؤخذ الكل ما لم تُحدَّد.",
    }),
    block: described(z.array(UrlPattern).max(100).default([]), {
      en: "Articles whose path, with its query, matches one of these are never taken, whatever keep says.",
      ar: "لا يؤخذ أبدًا ما طابق مسارُه (مع الاستعلام) واحدًا من هذه الأنماط، مهما قال keep.",
    }),
    full_text: described(z.enum(["feed", "page"]).optional(), {
      en: "Where the text comes from: `feed` (pages are never fetched) or `page`; the better of both unless given.",
      ar: "من أين يؤخذ النص: `feed` (لا تُجلب الصفحات أبدًا) أو `page`؛ والأفضل من الاثنين ما لم يُحدَّد.",
    }),
    auth: described(Auth.optional(), {
      en: "A credential out of the environment, sent to the source's own hosts only.",
      ar: "بيانات اعتماد من متغيرات البيئة، تُرسل إلى خوادم المصدر وحدها.",
    }),
    category_map: described(
      z
        .record(
          z.string().min(1).max(LIMITS.category),
          z.enum(categories, { error: `must be one of ${categories.join(", ")}` }),
        )
        .default({}),
      {
        en: "From the source's own labels to canonical categories.",
        ar: "من تسميات المصدر إلى التصنيفات المعتمدة.",
      },
    ),
    politeness: described(Politeness.prefault({}), {
      en: "How the source's hosts are treated.",
      ar: "كيف تُعامَل خوادم المصدر.",
    }),
    limits: described(Limits.prefault({}), { en: "How much one run takes.", ar: "مقدار ما يأخذه التشغيل الواحد." }),
    headers: described(Headers.default({}), {
      en: "Sent with every request; no credentials (see auth), and none that the client sets itself.",
      ar: "تُرسل مع كل طلب؛ دون بيانات اعتماد (انظر auth) ودون ما يضبطه العميل بنفسه.",
    }),
  });
}
