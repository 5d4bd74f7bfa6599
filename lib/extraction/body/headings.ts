export const NO_WORD = "[^\\p{L}\\p{N}]*";
const ALSO = "أيض[ًاً]{0,2}";
const PIECES = "(?:أخبار|الأخبار|مواضيع|موضوعات|مقالات|المقالات|تقارير|قصص|مواد|فيديوهات|روابط)";

/** A whole heading, whatever stands around its words. */
export function whole(alternatives: readonly string[]): RegExp {
  return new RegExp(`^${NO_WORD}(?:${alternatives.join("|")})${NO_WORD}$`, "iu");
}

/** The heading of a list of other articles, of buttons, tags or a newsletter, in English and Arabic. */
export const SIDE_HEADING: RegExp = whole([
  "related(?: (?:articles?|stories|news|posts?|content|topics|coverage|links|reading|videos?))?",
  "(?:the )?most (?:read|viewed|popular|shared|commented|watched)(?: (?:articles|stories|news|posts))?",
  "popular (?:posts?|articles|stories|now|on .{2,20})",
  "trending(?: (?:now|stories|news|topics|today))?",
  "(?:latest|recent|top|other|similar) (?:news|stories|posts?|articles|headlines)",
  "recommended(?: (?:for you|stories|articles|reading|by))?",
  "you (?:may|might) (?:also )?(?:like|enjoy|be interested in)",
  "more (?:stories|news|articles|posts|on this (?:story|topic))|more (?:from|in) \\S.{0,25}",
  "read (?:next|also)|up next|don['’]t miss|editor['’]?s['’]? (?:picks?|choice)|breaking news",
  "share(?: this(?: (?:article|story|post|page))?| on| via)?|follow us(?: on)?",
  "(?:our )?newsletters?|subscribe to our newsletter",
  "(?:skip|تخط[ىي]|تجاوز) (?:past )?(?!to).{3,60}",
  `(?:اقرأ|إقرأ|اقرأوا|اقرؤوا|شاهد|طالع|تابع|اقرأ في) (?:${ALSO}|المزيد|التالي)`,
  `(?:${PIECES} )?(?:ذات|لها|ذو) (?:ال)?صلة(?: بالموضوع| بالخبر)?|مرتبط`,
  `${PIECES} (?:متعلقة|مشابهة|مرتبطة|أخرى|مختارة|متنوعة|مقترحة|رئيسية)(?: .{0,15})?`,
  "(?:ال)?(?:أكثر|اكثر) (?:قراءة|قراء|مشاهدة|تعليق\\S*|شعبية|تداول\\S*|مشاركة|رواج\\S*|بحث\\S*|زيارة|تصفح\\S*)(?: .{0,12})?",
  "(?:آخر|اخر|أحدث|احدث|أهم|اهم|أبرز) (?:ال)?(?:أخبار|اخبار|مقالات|مواضيع|مستجدات|عناوين|أنباء)(?: .{0,12})?",
  "شريط (?:ال)?(?:أخبار|أنباء)|(?:أخبار )?عاجلة?|خبر عاجل|موجز الأخبار|(?:ال)?مشاركات (?:ال)?شائعة",
  "المزيد(?: (?:من|في|حول) .{1,25})?|حول هذه القصة|كتاب (?:الموقع|وآراء|ومقالات)",
  `قد (?:يعجبك|يهمك|يعجبكم|يهمكم)(?: ${ALSO}| .{1,12})?|ننصح(?:ك|كم)? بقراءة`,
  "(?:اخترنا|نرشح|مختارات|مقترحات|موصى به|نقترح)(?: (?:لك|لكم|عليك))?|(?:اختيارات|ترشيحات) (?:ال)?(?:محرر|محررين)",
  "شارك(?:ها|ه)?(?: (?:هذا |هذه )?(?:المقال|الخبر|الموضوع|المادة|القصة|على|عبر|مع أصدقائك))?(?: .{0,15})?",
  "مشاركة(?: عبر| على| المقال| الخبر)?|تابعنا(?: على| عبر)?(?: .{0,20})?",
  "(?:النشرة|نشرتنا|القائمة) (?:البريدية|الإخبارية|اليومية)|(?:اشترك|اشتركوا|سجل) في (?:النشرة|نشرتنا|القائمة)(?: .{0,20})?",
  "(?:ال)?كلمات (?:ال)?(?:مفتاحية|دلالية|بحث)|(?:ال)?وسوم|(?:ال)?علامات|(?:ال)?تصنيفات|(?:حول|عن) (?:ال)?(?:كاتب|مؤلف)ة?",
]);

/** The heading of readers' comments. */
export const COMMENTS_HEADING: RegExp = whole([
  "(?:\\d+ )?(?:reader |user )?(?:comments?|responses|replies)(?: \\(\\d+\\))?|leave a (?:reply|comment)|join the (?:conversation|discussion)",
  "(?:هناك )?(?:\\d+ )?(?:ال)?تعليق(?:ات|ا|اً)?(?: (?:ال)?(?:قراء|زوار|متابعين|فيسبوك|موقع))?(?: \\(?\\d+\\)?)?",
  "(?:أضف|اضف|اترك|اكتب|شاركنا|ضع) (?:تعليق\\S*|رأيك|ردك)(?: .{0,20})?|ترك الرد|لا (?:توجد|يوجد) تعليقات(?: .{0,12})?|شارك برأيك|آراء القراء",
]);

/** How a line within an article begins that only links to another one. */
export const CLOSING_LINE: RegExp = new RegExp(
  `^${NO_WORD}(?:(?:read(?: (?:more|also|next))?|also read|related(?: (?:article|story|news|content|coverage))?|see also|watch(?: also)?|more|don['’]t miss|recommended|you may also like|click here)\\s*[:：|>»–—-]|read (?:more|also|next)\\b|also read\\b|(?:اقرأ|إقرأ|اقرأوا|اقرؤوا|شاهد|طالع|تابع|انظر) (?:${ALSO}|المزيد)|(?:اقرأ|إقرأ|شاهد|طالع|للمزيد|انظر|تابع|المزيد|(?:مواضيع |موضوعات |أخبار )?ذات صلة|قد يهمك|قد يعجبك|لمزيد من التفاصيل)\\s*[:：|>»–—…-]|للمزيد (?:من|حول|عن|اقرأ|اضغط))`,
  "iu",
);

/**
 * How an invitation begins that stands between paragraphs: to a newsletter, a channel, to comments and their rules, or
 * to see what is embedded.
 */
export const INVITATION: RegExp = new RegExp(
  `^${NO_WORD}(?:(?:sign up|subscribe|register) (?:now )?(?:for|to) (?:our|the|my) (?:\\S+ ){0,5}newsletter|follow us on|join our (?:\\S+ ){0,2}(?:channel|group)|(?:اشترك|اشتركوا|سجل|سجّل|سجلوا) (?:الآن )?(?:في|ب) ?(?:النشرة|نشرتنا|القائمة البريدية)|(?:تابعونا|تابعنا|تابعوا آخر|انضموا|انضم|اشترك|اشتركوا) .{0,40}(?:واتساب|واتس آب|تيليغرام|تليغرام|تلغرام|فيسبوك|تويتر|يوتيوب|أخبار غوغل|أخبار جوجل|google news)|(?:نرحب|ترحب|يرحب) .{0,30}(?:بالنقاش|بتعليقات|بالتعليقات)|(?:الآراء|التعليقات|المشاركات) (?:الواردة|المنشورة|المكتوبة).{0,30} لا تعبر|لن يتم نشر عنوان بريدك|your email address will not be published|لمشاهدة (?:المحتوى|الفيديو|المنشور|التغريدة)\\S* .{0,20}اضغط)`,
  "iu",
);

/** How a line of running news begins. */
export const TICKER_LINE: RegExp =
  /^[^\p{L}\p{N}]*(?:شريط (?:ال)?(?:أخبار|أنباء)|عاجل|أخبار عاجلة|آخر الأخبار|breaking(?: news)?\s*[:|-]|latest news\s*[:|-])/iu;
