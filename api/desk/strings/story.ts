import { counted, countedArabic, figure, inBoth } from "./common.ts";

const articlesArabic = (count: number) =>
  countedArabic(count, {
    zero: "لا مقالات",
    one: "مقال واحد",
    two: "مقالان",
    few: "مقالات",
    many: "مقالًا",
    other: "مقال",
  });
const sourcesArabic = (count: number) =>
  countedArabic(count, {
    zero: "لا مصادر",
    one: "مصدر واحد",
    two: "مصدران",
    few: "مصادر",
    many: "مصدرًا",
    other: "مصدر",
  });

/** Holds what the pages of stories say, and the front page. */
export const story = inBoth({
  en: {
    kicker: "Story",
    facts: (size: number, sources: number) =>
      `${counted(size, "article", "articles")} of ${counted(sources, "source", "sources")}`,
    growing: (count: number) => `${figure(count)} more in a day than the day before`,
    shrinking: "quieter than the day before",
    first: "First told by",
    order: "Sources in order",
    orderLead: "By the time of their first report here.",
    after: (delay: string) => `${delay} later`,
    delay: (minutes: number) =>
      minutes < 60
        ? counted(minutes, "minute", "minutes")
        : minutes < 2_880
          ? counted(Math.round(minutes / 60), "hour", "hours")
          : counted(Math.round(minutes / 1_440), "day", "days"),
    timeline: "Over time",
    timelineLead: "A dot is an article; the first one is filled.",
    map: "Who took from whom",
    mapLead: "Texts that share passages with an earlier one, by source. An arc leads from whoever had it first.",
    noMap: "No text of this story was taken from another one here.",
    took: (taker: string, count: number, share: number) =>
      `${taker} took ${counted(count, "text", "texts")}, ${figure(share)} % of the words at most`,
    reports: "Reports",
    copies: (count: number) => counted(count, "copy of it", "copies of it"),
    merged: "This story was joined with another one, which is shown here.",
    names: "Named most",
    more: "Earlier ones are not shown.",
    lead: "Stories now",
    claimsToday: "Claims of the day",
    claimsLast: "Latest claims",
    before: "Nothing was told by two articles in the last seven days. These are the last stories before.",
    allClaims: "All claims",
    sourcesToday: "What the sources did",
    allSources: "All sources",
    noStories: "No event has been told by two articles in the last seven days.",
    empty: "The archive is empty",
    emptyLead: "Articles come in by feeds, by crawling and by the ingest route. The demo fills an archive in a minute:",
    newest: "Newest articles",
    delivering: (count: number) => `${counted(count, "source delivers", "sources deliver")} as usual`,
    failing: "fails",
    silent: "has gone silent",
    last: "last",
    perDay: (count: number) => `${figure(Math.round(count * 10) / 10)} a day`,
    noSources: "No source is registered.",
    reviewed: "checked",
  },
  ar: {
    kicker: "قصة",
    facts: (size: number, sources: number) =>
      `${articlesArabic(size)} من ${sourcesArabic(sources).replace("مصدران", "مصدرين")}`,
    growing: (count: number) => `أكثر من اليوم السابق بـ ${figure(count)}`,
    shrinking: "أهدأ من اليوم السابق",
    first: "أول مَن رواها",
    order: "المصادر بترتيبها",
    orderLead: "بحسب وقت أول خبر لكل منها هنا.",
    after: (delay: string) => `بعد ${delay}`,
    delay: (minutes: number) =>
      minutes < 60
        ? countedArabic(minutes, {
            zero: "أقل من دقيقة",
            one: "دقيقة",
            two: "دقيقتين",
            few: "دقائق",
            many: "دقيقة",
            other: "دقيقة",
          })
        : minutes < 2_880
          ? countedArabic(Math.round(minutes / 60), {
              zero: "ساعة",
              one: "ساعة",
              two: "ساعتين",
              few: "ساعات",
              many: "ساعة",
              other: "ساعة",
            })
          : countedArabic(Math.round(minutes / 1_440), {
              zero: "يوم",
              one: "يوم",
              two: "يومين",
              few: "أيام",
              many: "يومًا",
              other: "يوم",
            }),
    timeline: "عبر الزمن",
    timelineLead: "كل نقطة مقال، والأولى ممتلئة.",
    map: "مَن أخذ عن مَن",
    mapLead: "نصوص تشترك في فقرات مع نص سابق، بحسب المصدر. يبدأ القوس ممّن سبق.",
    noMap: "لم يؤخذ نص في هذه القصة عن نص آخر هنا.",
    took: (taker: string, count: number, share: number) =>
      `أخذ ${taker} ${countedArabic(count, { zero: "لا شيء", one: "نصًا واحدًا", two: "نصين", few: "نصوص", many: "نصًا", other: "نص" })}، حتى ${figure(share)} % من الكلمات`,
    reports: "الأخبار",
    copies: (count: number) =>
      countedArabic(count, {
        zero: "لا نسخ منه",
        one: "نسخة واحدة منه",
        two: "نسختان منه",
        few: "نسخ منه",
        many: "نسخة منه",
        other: "نسخة منه",
      }),
    merged: "ضُمّت هذه القصة إلى أخرى، وهي المعروضة هنا.",
    names: "الأكثر ذكرًا",
    more: "لا يُعرض ما قبلها.",
    lead: "القصص الآن",
    claimsToday: "ادعاءات اليوم",
    claimsLast: "أحدث الادعاءات",
    before: "لم يروِ مقالان حدثًا واحدًا في الأيام السبعة الأخيرة. هذه آخر القصص قبل ذلك.",
    allClaims: "كل الادعاءات",
    sourcesToday: "ما فعلته المصادر",
    allSources: "كل المصادر",
    noStories: "لم يروِ مقالان حدثًا واحدًا في الأيام السبعة الأخيرة.",
    empty: "الأرشيف فارغ",
    emptyLead: "تصل المقالات من الخلاصات ومن الزحف ومن مسار الإدخال. ويملأ العرض التجريبي أرشيفًا في دقيقة:",
    newest: "أحدث المقالات",
    delivering: (count: number) =>
      countedArabic(count, {
        zero: "لا مصدر يرسل",
        one: "مصدر واحد يرسل كعادته",
        two: "مصدران يرسلان كعادتهما",
        few: "مصادر ترسل كعادتها",
        many: "مصدرًا يرسل كعادته",
        other: "مصدر يرسل كعادته",
      }),
    failing: "متعثر",
    silent: "صمت",
    last: "آخره",
    perDay: (count: number) => `${figure(Math.round(count * 10) / 10)} في اليوم`,
    noSources: "لا مصدر مسجلًا.",
    reviewed: "جرى التحقق",
  },
});
