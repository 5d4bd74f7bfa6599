import { forEachWord, normalForm } from "../text/mod.ts";

/** Kinds of messages that ask nothing of the news. */
export type SmallTalk = "greeting" | "thanks" | "assistant";

/** A longer message is about something. */
const MAX_WORDS = 12;

const phrases = (text: string): readonly string[][] =>
  text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(normalForm))
    .sort((a, b) => b.length - a.length);

const PHRASES: Readonly<Record<SmallTalk, readonly string[][]>> = {
  greeting: phrases(`
    hello
    hi
    hey
    hi there
    hello there
    hey there
    good morning
    good afternoon
    good evening
    good night
    greetings
    welcome
    how are you
    how are you doing
    how are you today
    how is it going
    how's it going
    what's up
    bye
    goodbye
    see you
    see you later
    مرحبا
    مرحبا بك
    مرحبا بكم
    أهلا
    أهلا وسهلا
    أهلا بك
    هلا
    هلا والله
    يا هلا
    السلام عليكم
    السلام عليكم ورحمة الله
    السلام عليكم ورحمة الله وبركاته
    سلام
    سلام عليكم
    وعليكم السلام
    صباح الخير
    صباح النور
    مساء الخير
    مساء النور
    تصبح على خير
    تحياتي
    تحية طيبة
    كيف حالك
    كيف حالك اليوم
    كيف الحال
    كيفك
    شلونك
    إزيك
    ازيك عامل ايه
    عامل ايه
    شو أخبارك
    كيف أخبارك
    مع السلامة
    إلى اللقاء
    وداعا
  `),
  thanks: phrases(`
    thanks
    thank you
    thank you very much
    thank you so much
    thanks a lot
    many thanks
    great
    ok
    okay
    شكرا
    شكرا لك
    شكرا لكم
    شكرا جزيلا
    شكرا كثيرا
    ألف شكر
    مشكور
    يعطيك العافية
    تسلم
    تمام
    ممتاز
    حسنا
    أحسنت
  `),
  assistant: phrases(`
    who are you
    what are you
    what is your name
    what's your name
    who made you
    who created you
    who built you
    are you a robot
    are you a bot
    are you human
    are you an ai
    are you a human
    are you a person
    what can you do
    what can i ask
    what can i ask you
    what do you do
    what do you know
    how do you work
    how can you help
    how can you help me
    can you help me
    help
    help me
    can you speak arabic
    do you speak arabic
    do you speak english
    which languages do you speak
    which model are you
    what model are you
    are you chatgpt
    introduce yourself
    tell me about yourself
    من أنت
    من انت
    من تكون
    ما أنت
    ما اسمك
    ما هو اسمك
    شو اسمك
    اسمك ايه
    مين أنت
    من صنعك
    من طورك
    من برمجك
    هل أنت روبوت
    هل أنت إنسان
    هل أنت بشر
    هل أنت ذكاء اصطناعي
    ماذا تفعل
    ماذا تستطيع أن تفعل
    ماذا يمكنك أن تفعل
    ما الذي يمكنك فعله
    ما الذي تستطيع فعله
    ماذا تعرف
    كيف تعمل
    كيف يمكنك مساعدتي
    كيف يمكنني استخدامك
    هل تستطيع مساعدتي
    هل يمكنك مساعدتي
    هل تتكلم العربية
    هل تتحدث العربية
    هل تتحدث الإنجليزية
    بأي لغات تتحدث
    عرف عن نفسك
    عرفني بنفسك
    حدثني عن نفسك
    ساعدني
    مساعدة
    شو بتعمل
    شو فيك تعمل
    بتعمل ايه
  `),
};

const KINDS = ["greeting", "thanks", "assistant"] as const;

/**
 * Returns what a message is that asks nothing of the news: one that greets, thanks, or asks about the assistant itself,
 * and says nothing else. A greeting before a question leaves a question.
 */
export function smallTalk(message: string): SmallTalk | undefined {
  const words: string[] = [];
  forEachWord(message.slice(0, 400), (start, end) => {
    if (words.length <= MAX_WORDS) words.push(normalForm(message.slice(start, end)));
  });
  if (words.length === 0 || words.length > MAX_WORDS) return undefined;
  let kind: SmallTalk | undefined;
  for (let at = 0; at < words.length; ) {
    const match = KINDS.flatMap((each) => PHRASES[each].map((phrase) => ({ each, phrase })))
      .filter(({ phrase }) => phrase.every((word, i) => words[at + i] === word))
      .sort((a, b) => b.phrase.length - a.phrase.length)[0];
    if (match === undefined) return undefined;
    kind = match.each === "assistant" ? "assistant" : (kind ?? match.each);
    at += match.phrase.length;
  }
  return kind;
}
