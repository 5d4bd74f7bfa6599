import { normalForm } from "./normal-form.ts";

const ARABIC = `
في من على إلى عن أن إن هذا هذه ذلك تلك هؤلاء أولئك هذان هذين هاتان هاتين التي الذي الذين اللذان اللذين اللتان اللتين اللواتي اللاتي
ما لا لم لن قد لقد سوف كان كانت كانوا يكون تكون ليس ليست هو هي هم هن هما نحن أنا أنت أنتم بعد قبل بين مع كل بعض حتى أو أم ثم كما أي أية
عند عندما منذ خلال حيث إذا إذ إذن لو لولا لأن لأنه لأنها لكن لكنه لكنها بل غير سوى فقط أيضا كذلك هنا هناك هنالك الآن
وقد وقال قال وفي ومن وعن وعلى وإلى ولا ولم ولن وما وهو وهي وهم أنه أنها أنهم إنه إنها بأن بأنه بأنها فإن وإن وأن وأنه
له لها لهم لنا لي لك به بها بهم فيه فيها فيهم عليه عليها عليهم منه منها منهم إليه إليها إليهم عنه عنها معه معها بينهم بينها لديه لديها
هل كيف متى أين لماذا ماذا كم لمن عما مما فيما بما ممن إلا إما أما عدا نحو ضد دون بدون حول عبر فوق تحت أمام وراء لدى ذو ذات يا أيها نعم كلا
تم يتم ماهي ماهو ماهية وماذا وكيف وأين ومتى وكم فهل وكان وكانت فكان بينما حينما كلما لما مثل أكثر والتي والذي والذين وهذا وهذه وذلك كذا
وكذلك وكما وبعد وقبل وبين ومع وكل حسب وفق
`;

const ENGLISH = `
a an and are as at be been being but by can could did do does for from had has have he her here him his how i if in into is it its me my
no nor not of on or our out she so some such than that the their them then there these they this those to too was we were what when
where which while who whom whose why will with would you your am about also any because between both during each more most only other
own same should through under until up very
`;

const STOP_WORDS: ReadonlySet<string> = new Set(`${ARABIC} ${ENGLISH}`.trim().split(/\s+/).map(normalForm));

/** Whether a word in normal form says nothing about what a text is about, in Arabic or English. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
