import { anyIn, forms, isIn, KINDS } from "./cues.ts";
import type { Mention, TextWord } from "./outlets.ts";

const ENGLISH_VERBS = forms(
  "offers lists quotes explains debunked picked spoke highlighted points suggest followed released learned criticized criticised saying telling aired airs showed shows broadcast broadcasts carried carries ran runs posted flashed stated states explained explains argued argues " +
    "suggested suggests speculated estimated estimates learnt identified described describes adds warned warns tweeted details detailed " +
    "labelling labeling calling describing reporting said says say contributed reported reports report quoted quotes cited cites wrote writes revealed reveals confirmed claimed claims quoting noted notes learned published publishes announced added citing disclosed obtained",
);
const ENGLISH_REPORTERS = forms(
  "writer writers reporter reporters correspondent correspondents journalist journalists photographer photographers interviewer interviewers witness team crew",
);
const ENGLISH_AUX = forms(
  "writer reporter columnist editorial op-ed report story article post poll survey investigation source sources community exclusive now today has had have also first later earlier previously recently is was which the a that web",
);
const TOLD = forms(
  "told tell tells telling source writes reports echoing citing quoting quotes quoted cited told informed via",
);
const ENGLISH_PAIRS: readonly (readonly [ReadonlySet<string>, ReadonlySet<string>])[] = [
  [forms("according"), forms("to")],
  [
    forms(
      "posted mentioned noted story article contacted interviewed asked reported published quoted cited obtained conducted released seen broadcast aired written carried commissioned report reports",
    ),
    forms("by in on from"),
  ],
  [forms("interview interviews"), forms("with")],
  [forms("confirmed acknowledged admitted revealed explained released"), forms("to")],
  [forms("wrote"), forms("on")],
  [forms("polled viewed reviewed"), forms("by")],
  [forms("footage"), forms("from")],
  [forms("reporters editors"), forms("of")],
  [forms("story piece column ed editorial essay"), forms("for")],
  [
    forms("interview spoke speaking speak talking talked writing comments remarks said"),
    forms("to with in on through"),
  ],
  [forms("explained argued noted observed"), forms("in on")],
  [forms("revealed disclosed uncovered obtained detailed compiled confirmed"), forms("by")],
  [forms("file files material information reporting"), forms("from by")],
  [forms("reporter correspondent writer"), forms("for of with from")],
  [forms("attributed"), forms("to")],
  [forms("statement"), forms("to")],
];
const MODIFIERS = 5;

/** Ends what outlets show: `programs aired by …` tells nothing from there. */
const SHOWS =
  /\b(?:programs|programmes|shows|series|movies|films|games) (?:aired|broadcast|shown|carried) (?:by|on) (?:the )?(?:[A-Z]\w{0,9}, ){0,5}$/;

/** Words between who said something and where: `said earlier on …`. */
const ADVERBS = forms("earlier later today yesterday tonight recently");

/** Words of which what somebody says to an outlet is called, and words between: `an interview last week with …`. */
const TALKS = forms("interview interviews comments remarks claim claims");
const TALKED_VIA = forms("with on to");
const TALK_WORDS = 5;

/** Words between a report and what it stands in: `a report of the split in …`. */
const REPORT_WORDS = 8;
const ENGLISH_REPORTS = forms("report reports story article interview ed editorial letter column essay piece");

/** Verbs after which `by` may follow some words on: `published over the weekend by …`. */
const ENGLISH_PASSIVE = forms(
  "published reported revealed disclosed obtained conducted released aired broadcast story report",
);
const PASSIVE_WORDS = 7;

/** Verbs and nouns of an outlet as a firm. */
const AS_A_FIRM =
  /^(?:is|was|has|its|plus|news|this|us|does|wants?|needs?|makes?|plans?|owns?|owned|hired|fired|employs?|employed|sued|loses|lost|wins?|won|buys?|bought|sells?|sold|launched|launches|cancelled|canceled|suspended|closed|closes|apologi[sz]ed|apologi[sz]es|retracted|faces|faced|shares|holdings|executives|bosses|execs|viewers|readers|employees|officials|series|sports|times|awards|studios|lawyers|remains|becomes|decided|refused|declined|denied|agreed|plc|programmes|programs|presenters|journalists|reporters|photos|pictures|images|names|named|based|televised|televises|sponsored|produced|dismissed|unveiled|pulled|removed|blurred|screened|prepares|prepared)$/;

/** Words that may stand between an outlet and its verb. */
const BETWEEN =
  /^(?:and|the|also|since|has|both|now|first|later|earlier|today|newspaper|newspapers|website|magazine|network|agency|in|have|had|monday|tuesday|wednesday|thursday|friday|saturday|sunday|previously|recently|quickly)$/;
/** Words behind which an outlet is not what acts. */
const OBJECT = /\b(?:of|for|in|on|at|from|with|against) (?:the )?$/;

const MAX_BETWEEN_VERB = 7;

/** Words between who wrote something and the outlet that it was written in. */
const AUTHOR_WORDS = 9;
const WROTE = forms("wrote writes");

/** Somebody who speaks for an outlet as a firm. */
const SPOKESMAN =
  /\b(?:spokes\w{3,6}|lawyers?|executives?|president|owner|chief|director|chairman|anchor|host) (?:for|of|at) (?:the )?$/i;

/** Matches the news of an outlet of itself as a firm: `said it reached an agreement`. */
const OF_ITSELF =
  /^ (?:says|said) it (?:will|would|plans?|expects?|earned|reached|carried|agreed|signed|sold|bought|named|completed|acquired|owns)\b/;

/** Words behind which what has a capital is a source. */
const NAMED_SOURCE =
  /\b(?:reported by|according to|told|interview with|cited by|confirmed to|via) $|, (?:reports|reported) $/i;

/** Verbs of a reporter of an outlet, behind the name. */
const REPORTER_SAYS =
  /^ (?:(?:\p{Lu}\S{1,20}|and|in|at) ){0,8}(?:\p{Ll}{1,20}ly )?(?:said|says|told|tells|wrote|writes|reported|reports|asked|asks|noted|notes|explained|spoke|found|learned|quoted|contributed|saw|heard|watched|witnessed|counted|observed|visited|confirmed|tweeted)\b/u;

/** Somebody who reports for an outlet on a subject: `BBC security correspondent Jane Doe says`. */
const SUBJECT_REPORTER =
  /^ (?:\p{Ll}{3,14} ){1,2}(?:correspondent|editor|reporter) (?:\p{Lu}\S{1,20} ){1,3}(?:said|says|reports|reported)\b/u;

/** Verbs of an outlet that stand right before it, as in `…, reported the Daily Mail`. */
const BEFORE =
  /(?:^|[,\u201d"'] ?|So )(?:reported|reports|wrote|writes|revealed|claimed|noted|notes|added) (?:the )?(?:[a-z]{4,10} ){0,3}$|\bh\/t $|\b(?:article|story|post|piece|column|report) (?:originally |first )?(?:appeared|ran) (?:on|in|at) (?:the )?$|(?:^|[.\n] ?)Appearing on (?:the )?$|\b(?:outlets|sources),? including (?:[a-z]{4,15} )?(?:(?:news)?papers? )?(?:the )?$|\b(?:per|over at|assured|informed|emailed|e-mailed|texted) (?:the )?$|\b(?!created|produced|televised|(?:re)?commissioned|launched|backed|funded|sponsored|hosted|signed|dropped|beaten|owned|operated|founded|employed|hired|fired|sued|acquired)[a-z]{3,12}ed by (?:the )?$|\b(?:Contributing|Sources?|Via): (?:the )?$|(?:©|copyright|\(c\)) {0,2}(?:\d{4},? )?(?:by )?(?:the )?$/i;

/** Verbs of an outlet behind words about it, and what it has. */
const BEHIND =
  /^(?:, with files from |, which (?:first |also |originally )?(?:reported|broke|published|revealed|obtained)\b|, (?:an?|another|the|one of|[A-Z][\w ]{2,20}['\u2019]s) [^,.;]{3,60}, (?:cited|said|says|reported|reports|quoted|wrote|published|ran|carried|took|concluded|found)| (?:has|have) (?:an?|some|more|the) | has (?:also |since |previously )?(?:written|reported|learned|obtained|published)\b| (?:was|were|(?:has|have|had) been) told\b)/;

/** Verbs of somebody of an outlet: `Re/code's Jane Doe reports`. */
const OF_ITS_PEOPLE =
  /^(?:['\u2019]s|(?<=s)['\u2019]) (?:\p{Lu}\S{1,20} ){1,4}(?:in (?:\p{Lu}\S{1,20} ){1,2})?(?:reports?|reported|says|said|writes|wrote|notes|noted|explains|found|tweeted|tweets|added|asked|argues|argued|pointed out|points out|was (?:\w{2,5} ){0,3}first to report)\b|^['\u2019]s (?:own )?sources? (?:also )?(?:tells?|told|says?|said|claims?)\b/u;

/** Returns whether an English sentence says that what is told is from an outlet; it begins at `first`. */
export function isAttributedInEnglish(
  text: string,
  words: readonly TextWord[],
  mention: Mention,
  first: number,
): boolean {
  const { to, isWeak, start, end } = mention;
  const from = phraseStart(text, words, mention, first);
  const ahead = text.slice(Math.max(0, start - 40), start);
  if (SPOKESMAN.test(ahead) || SHOWS.test(ahead) || OF_ITSELF.test(text.slice(end, end + 40))) return false;
  const behind = words[to];
  if (isWeak) {
    // `King of the Hill`.
    if (
      /\b[A-Z]\w+ of the $/.test(
        text.slice(Math.max(0, start - 24), /^the /i.test(text.slice(start)) ? start + 4 : start),
      )
    )
      return false;
    const isNamed =
      NAMED_SOURCE.test(text.slice(Math.max(0, start - 24), start)) ||
      /(?:^|\s)[Tt]he\s$/.test(text.slice(Math.max(0, start - 5), start)) ||
      /^[Tt]he\s/.test(text.slice(start)) ||
      (/(?:^|\s)[Aa]n? $/.test(text.slice(Math.max(0, start - 4), start)) && PRODUCT.test(text.slice(end, end + 20)));
    const kind = behind?.form === "news" ? words[to + 1] : behind;
    if (
      !isNamed &&
      !isIn(words, mention.from - 1, KINDS.english) &&
      !(kind !== undefined && KINDS.english.has(kind.form))
    )
      return false;
    if (
      behind !== undefined &&
      /^\s(?!(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day)[A-Z]/.test(text.slice(end, end + 11))
    )
      return false;
    if (
      /ian$/.test(text.slice(start, end)) &&
      /^ (?:government|parliament|police|people|dollar|army)/.test(text.slice(end, end + 12))
    )
      return false;
  }
  for (let back = 1; back <= MODIFIERS && from - back >= first; back++) {
    const cue = words[from - back];
    if (
      cue === undefined ||
      /[.!?;]/.test(
        text.slice(cue.end, start).replace(/\b(?:[A-Z]|Jan|Feb|Mar|Apr|Aug|Sept?|Oct|Nov|Dec|St|Dr|Mr|Ms)\./g, ""),
      )
    )
      break;
    if (TOLD.has(cue.form)) return true;
    if (TALKED_VIA.has(cue.form) && anyIn(words, from - back - 1, Math.max(first, from - back - TALK_WORDS), TALKS))
      return true;
    if (
      cue.form === "in" &&
      anyIn(words, from - back - 1, Math.max(first, from - back - REPORT_WORDS), ENGLISH_REPORTS)
    )
      return true;
    const before = words[ADVERBS.has(words[from - back - 1]?.form ?? "") ? from - back - 2 : from - back - 1];
    for (const [one, two] of ENGLISH_PAIRS)
      if (two.has(cue.form) && before !== undefined && one.has(before.form) && from - back - 1 >= first) return true;
  }
  if (isPassive(text, words, { ...mention, from }, first) || isHouseOf(text, mention) || isNamedBeside(text, mention))
    return true;
  if (isActor(text, words, mention) || isAuthor(text, words, mention, first)) return true;
  if (
    SUBJECT_REPORTER.test(text.slice(end, end + 80)) ||
    (behind !== undefined &&
      ENGLISH_REPORTERS.has(behind.form) &&
      REPORTER_SAYS.test(text.slice(behind.end, behind.end + 60)))
  )
    return true;
  const isElsewhere = /^(?: (?:magazine|newspaper|television|paper|daily))? in (?:the )?(?:[A-Z]\w{1,20} ){1,3}/.exec(
    text.slice(end, end + 90),
  );
  let next = to;
  while ((words[next]?.start ?? Number.POSITIVE_INFINITY) < end + (isElsewhere?.[0].length ?? 0)) next++;
  for (let ahead = 0; ahead < 4; ahead++) {
    const word = words[next + ahead];
    if (word === undefined || /[.!?;]/.test(text.slice(end, word.start))) return false;
    if (ENGLISH_VERBS.has(word.form)) return true;
    if (
      !ENGLISH_AUX.has(word.form) &&
      !KINDS.english.has(word.form) &&
      word.form !== "news" &&
      word.form !== "correspondent"
    )
      return false;
  }
  return false;
}

/** Words of a phrase that says what an outlet is, before its name. */
const PHRASE_WORDS = 3;

/** Returns the first word of what an outlet is called: of `Taiwanese website` before its name. */
function phraseStart(text: string, words: readonly TextWord[], { from }: Mention, first: number): number {
  let start = from;
  for (let back = from - 1; back >= Math.max(first, from - PHRASE_WORDS); back--) {
    const word = words[back];
    if (
      word === undefined ||
      !(text.charAt(word.end) === " " || (back === from - 1 && /^, \S/.test(text.slice(word.end, word.end + 3))))
    )
      break;
    if (!KINDS.english.has(word.form) && !(start < from && /^[A-Z]/.test(text.charAt(word.start)))) break;
    start = back;
  }
  return start;
}

/** Returns whether an outlet did what the clause before it says: `new revelations published over the weekend by …`. */
function isPassive(text: string, words: readonly TextWord[], { from, start }: Mention, first: number): boolean {
  const by = words[from - 1]?.form === "the" ? from - 2 : from - 1;
  if (words[by]?.form !== "by") return false;
  for (let at = by - 1; at >= Math.max(first, by - PASSIVE_WORDS); at--) {
    if (/[,.!?;]/.test(text.slice(words[at]?.end ?? 0, start))) return false;
    if (isIn(words, at, ENGLISH_PASSIVE)) return true;
  }
  return false;
}

/** Returns whether somebody is named by where he writes: `Jane Doe, of the Guardian, thought`. */
function isHouseOf(text: string, { start, end }: Mention): boolean {
  const isBehindName =
    /\p{Lu}\p{L}{1,20}, (?:from|of|at|with) (?:the )?$|\p{Lu}\p{L}{1,20} \p{Lu}\p{L}{1,20} of $/u.test(
      text.slice(Math.max(0, start - 40), start),
    );
  return isBehindName && text.charAt(end) === ",";
}

/** Names works of an outlet: `a Reuters poll of economists`. */
const PRODUCT =
  /^ (?:count|tally|poll|survey|story|analysis|investigation|review|calculation|estimate|interview|profile|report|article|column|editorial|op-ed|essay|expos\u00e9)\b/;

/** Verbs of somebody who is on an outlet: `he was on Bloomberg TV stating that …`. */
const SAID_THERE = /^(?: (?:TV|television|radio|News))?,? (?:stating|saying|claiming|telling|arguing|insisting)\b/;

/** Says that outlets found something: `Another poll, from the Pew Center and USA Today, found that …`. */
const POLL_FROM = /, (?:from|by) (?:the )?(?:\p{Lu}[\w.]{1,20} ){0,5}(?:and )?(?:the )?$/u;
const ITS_RESULT =
  /^(?: (?:and (?:the )?)?(?:\p{Lu}[\w.]{1,20}){1,3}){0,2}, (?:showed|shows|found|finds|says|said|suggested|suggests)\b/u;

/** Returns whether it is said right before or behind an outlet that something is from there. */
function isNamedBeside(text: string, { start, end }: Mention): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const owned = /['\u2019]s$/.test(text.slice(start, end)) ? end - 2 : end;
  if (
    BEFORE.test(before) ||
    BEHIND.test(text.slice(end, end + 80)) ||
    OF_ITS_PEOPLE.test(text.slice(owned, owned + 110))
  )
    return true;
  if (/\b(?:[Aa]n?|[Tt]his|[Ii]n (?:the|an?))(?: \d{4})? $/.test(before) && PRODUCT.test(text.slice(end, end + 20)))
    return true;
  // `On CNN's "State of the Union" and ABC's "This Week," he said so.`
  if (/\b(?:on|and) (?:the )?$/i.test(before) && /^['\u2019]s ["\u201c][A-Z]/.test(text.slice(owned, owned + 5)))
    return true;
  if (POLL_FROM.test(before) && ITS_RESULT.test(text.slice(end, end + 60))) return true;
  if (/\bon (?:the )?$/.test(before) && SAID_THERE.test(text.slice(end, end + 30))) return true;
  return /\bfrom (?:the )?$/i.test(before) && text.charAt(end) === ":";
}

/** Returns whether an outlet is the subject of a verb that is not of a firm: `The Times also detailed …`. */
function isActor(text: string, words: readonly TextWord[], { to, start, end, isListed, isWeak }: Mention): boolean {
  if (!isListed || isWeak || OBJECT.test(text.slice(Math.max(0, start - 10), start))) return false;
  for (let at = to, from = end; at < to + MAX_BETWEEN_VERB; at++) {
    const word = words[at];
    if (word === undefined || /[^\s"'\u201d\u2019]/.test(text.slice(from, word.start))) return false;
    from = word.end;
    const written = text.slice(word.start, word.end);
    if (BETWEEN.test(word.form) || (at > to && /^[A-Z]/.test(written))) continue;
    return /^[a-z]{2,12}(?:ed|s)$/.test(written) && !AS_A_FIRM.test(word.form) && !/(?:ss|us|ous)$/.test(word.form);
  }
  return false;
}

/** Returns whether somebody wrote something as one of an outlet: `wrote Jane Doe, editor at The Age`. */
function isAuthor(text: string, words: readonly TextWord[], { from, start }: Mention, first: number): boolean {
  const isOfIt = /\b(?:editor|columnist|reporter|correspondent|writer|critic)s? (?:at|of|for|with) (?:the )?$/.test(
    text.slice(Math.max(0, start - 30), start),
  );
  return isOfIt && anyIn(words, from - 1, Math.max(first, from - AUTHOR_WORDS), WROTE);
}
