import { describe, expect, test } from "bun:test";
import { codePointSlice } from "../../text/mod.ts";
import { creditsOf, isOwnCredit } from "./credits.ts";

const names = (text: string) => creditsOf(text).map(({ name }) => name);

describe("creditsOf", () => {
  test("gives an agency one name over spellings and languages", () => {
    for (const text of [
      "قتل شخصان في الهجوم، وفق ما ذكرت وكالة فرانس برس.",
      "قتل شخصان في الهجوم (أ ف ب)",
      "ونقلت أ.ف.ب عن الشرطة أن شخصين قتلا.",
      "Two people were killed, AFP reported.",
      "PARIS (AFP) - Two people were killed.",
      "Two people were killed, according to Agence France-Presse.",
    ])
      expect(names(text)).toEqual(["Agence France-Presse"]);
    expect(names("نقلاً عن وكالة الأنباء السعودية (واس) أن الملك وصل.")).toEqual(["Saudi Press Agency"]);
    expect(names("ذكرت وكالة أنباء السعودية أن الملك وصل.")).toEqual(["Saudi Press Agency"]);
  });

  test("finds datelines, marks at the end, words told to an outlet, and papers in quotes that nobody lists", () => {
    expect(names("LONDON (Reuters) - Oil rose on Monday.")).toEqual(["Reuters"]);
    expect(names("دبي - رويترز: قال الوزير إن النفط ارتفع.")).toEqual(["Reuters"]);
    expect(names("وقال مسؤول أميركي لرويترز إن واشنطن لن تنسحب.")).toEqual(["Reuters"]);
    expect(names("A spokesman told the BBC that nobody was hurt.")).toEqual(["BBC"]);
    expect(names("نقلا عن صحيفة «النبأ الجديد» أن الجسر سيفتح.")).toEqual(["النبأ الجديد"]);
    expect(names("With files from Associated Press and Bloomberg")).toEqual(["Associated Press", "Bloomberg"]);
  });

  test("takes none from the inside of a quotation, from a picture, a place, or a club", () => {
    for (const text of [
      'He said: "According to Reuters nobody was ever hurt on that old bridge."',
      "وقال: «وفقا لرويترز لم يصب أحد بأذى على ذلك الجسر القديم أبدا».",
      "(AP Photo/John Smith) The bridge was closed.",
      "زار السياح الأهرام في الجيزة، ووفقا للمرشد فإن الشرق الأوسط جميل.",
      "Times Square was full, and the Sun rose over the Guardian Building.",
      "The BBC is to show sixty new episodes of the series next year.",
      "يمكنكم استلام إشعارات بعد تحميل تطبيق بي بي سي عربي على هاتفكم.",
    ])
      expect(names(text)).toEqual([]);
  });

  test("tells where a credit stands, in code points", () => {
    const text = "😀 ونقلت رويترز عن الوزير قوله إن السد لن يغلق.";
    const [credit] = creditsOf(text);
    expect(codePointSlice(text, credit?.start ?? 0, credit?.end ?? 0)).toBe("رويترز");
    expect(credit?.text).toBe("رويترز");
  });
});

test("finds outlets that no list has by how they are written", () => {
  expect(names("KLAS-TV is reporting that a man was hurt.")).toEqual(["KLAS"]);
  expect(names("A resident told CNN affiliate KGW that he saw it.")).toEqual(["CNN", "KGW"]);
  expect(names("KOBANI, Syria (KurdTimes) - Two were killed.")).toEqual(["KurdTimes"]);
  expect(names("According to French website iGen.fr, it will cost $500.")).toEqual(["iGen.fr"]);
  expect(names("US planes supply them, Iraq TradeLink reported.")).toEqual(["Iraq TradeLink"]);
  expect(names("It ends in May, the Sahlan News Agency reported.")).toEqual(["Sahlan News Agency"]);
  expect(names("Prices rose, the Labor Department reported.")).toEqual([]);
  expect(names("He was paid by WADA, and the South Korean TV station said nothing.")).toEqual([]);
});

test("finds what is said in a paper, behind or before it, or by its people", () => {
  for (const text of [
    "A report of the split in the Wall Street Journal said so.",
    "It was reported by three papers, as new papers published over the weekend by the Wall Street Journal show.",
    "The Wall Street Journal's Jane Doe reports that it will split.",
    "The lira fell, wrote Jane Doe, an editor at the Wall Street Journal.",
    "The Wall Street Journal and others also detailed the plan.",
  ])
    expect(names(text)).toEqual(["The Wall Street Journal"]);
  for (const text of [
    "The Wall Street Journal hired fifty people.",
    "A spokesman for the Wall Street Journal said it had no comment.",
    "The show is televised by the BBC network on Sunday.",
    "In 2002 Wall Street Journal reporter Daniel Pearl was killed.",
  ])
    expect(names(text)).toEqual([]);
  expect(names("The Washington Post said so. He told The Post that he would go.")).toEqual(["The Washington Post"]);
});

test("finds Arabic papers by their verbs, what they brought, and where a text is from", () => {
  expect(names('وصرح دبلوماسي لـ"رويترز" بأنه لا محادثات.')).toEqual(["Reuters"]);
  expect(names("أما صحيفة واشنطن بوست فقد ذكرت أن الإنفاق زاد.")).toEqual(["The Washington Post"]);
  expect(names("وفي تقرير سابق لصحيفة واشنطن بوست، حصل شخص على المال.")).toEqual(["The Washington Post"]);
  expect(names('وحثت صحيفة "غلوبال تايمز" المسؤولين على الحزم.')).toEqual(["Global Times"]);
  expect(names("هذا ما نريده. *نقلاً عن الاتحاد الإماراتية ** جميع المقالات تمثل كتابها.")).toEqual(["Al-Ittihad"]);
  expect(names('وذكرت صحيفة "إلموندو ديبورتيفو" أن النادي يسعى إليه.')).toEqual(["Mundo Deportivo"]);
  for (const text of [
    "ونقل موقع الاتحاد الإلكتروني عن اللاعب قوله إنه سعيد.",
    "وجاء في حديث مع مراسل بقناة الجزيرة القطرية أن الصواريخ عادت.",
    'عرضت وكالة "ناسا" الفضائية صورا جديدة.',
  ])
    expect(names(text)).toEqual([]);
});

test("a straight quote that only closes opens no quotation", () => {
  const text = 'He said it was 5" long. Reuters reported on Monday that all of the six men had left by then" after it.';
  expect(names(text)).toEqual(["Reuters"]);
});

test("a paper's own name is no credit, by whatever it is called", () => {
  const [credit = { name: "" }] = creditsOf("A spokesman told the BBC that nobody was hurt.");
  expect(isOwnCredit(credit, ["بي بي سي"])).toBe(true);
  expect(isOwnCredit(credit, ["bbc"])).toBe(true);
  expect(isOwnCredit(credit, ["CNN"])).toBe(false);
  expect(isOwnCredit({ name: "Sahlan News Agency" }, ["sahlan-news-agency"])).toBe(true);
});

test("finds lists of outlets in brackets, behind a dateline, and in a line that only says where a text is from", () => {
  const pair = ["Agence France-Presse", "Reuters"];
  for (const text of [
    "BEIRUT, (AFP, Reuters): Two were killed.",
    "Two were killed in the north. (AFP, Reuters)",
    "عواصم - أ ف ب، رويترز - قتل شخصان في الشمال.",
    "عواصم (أ ف ب، رويترز): قتل شخصان في الشمال.",
    "قتل شخصان في الشمال. (أ.ف.ب، رويترز)",
    "قتل شخصان في الشمال.\n\nالمصدر: أ ف ب، رويترز",
    "Two were killed in the north.\n\nSource: AFP and Reuters",
  ])
    expect(names(text)).toEqual(pair);
  expect(names("قتل شخصان في الشمال.\n\nالمصدر : الجزيرة + وكالات")).toEqual(["Al Jazeera"]);
  expect(names("By Associated Press\nTwo were killed in the north.")).toEqual(["Associated Press"]);
  expect(names("Two were killed.\n\nCopyright 2014 The Associated Press. All rights reserved.")).toEqual([
    "Associated Press",
  ]);
  expect(names("Two were killed in the north.\n\nPhoto: Reuters")).toEqual([]);
  expect(names("The two papers are the Guardian and the Sun, nothing else\nTwo were killed.")).toEqual([]);
});

test("finds what people of an outlet saw and what it counted, but not what was done to them", () => {
  for (const text of [
    "An AFP correspondent saw three bodies.",
    "AFP journalists heard explosions.",
    "An AFP tally has fifty dead.",
    "شاهد مراسل فرانس برس ثلاث جثث.",
    "وقال شهود من فرانس برس إن الدخان يتصاعد.",
    "وأظهر استطلاع أجرته فرانس برس أن النمو ضعيف.",
  ])
    expect(names(text)).toEqual(["Agence France-Presse"]);
  expect(names("Associated Press writers Jane Doe and John Roe in Beirut contributed to this report.")).toEqual([
    "Associated Press",
  ]);
  expect(names("Reuters journalists Wa Lone and Kyaw Soe Oo were jailed.")).toEqual([]);
  expect(names("محاكمة صحفيي رويترز في ميانمار")).toEqual([]);
});

test("finds names of few letters by what is said of them, sites by their ending, and magazines with an &", () => {
  expect(names("Two died, the state-run SANA news agency said.")).toEqual(["SANA"]);
  expect(names("Speaking on NTV television, he added that it will go.")).toEqual(["NTV"]);
  expect(names("The child is due in May, according to a Time.com report.")).toEqual(["Time"]);
  expect(names("The French website iGen.Fr reports that it will cost $500.")).toEqual(["iGen.fr"]);
  expect(names("Life & Style magazine in the United States published its own story.")).toEqual(["Life & Style"]);
});

test("finds to whom a source spoke by the quotes and by what was told, whoever that is", () => {
  expect(names("وقال مصدر لـ«الحياة» إن شخصين قتلا.")).toEqual(["Al-Hayat"]);
  expect(names('وأكد مصدر أمني لـ"صدى الجبل" أن شخصين قتلا.')).toEqual(["صدى الجبل"]);
  expect(names('وقال الوزير إن هناك حاجة لـ"حل سياسي" إن أمكن.')).toEqual([]);
  expect(names('ودعا مصدر لـ"يوم الغضب" في المدينة.')).toEqual([]);
  expect(names('وأكد مصدر أمني عند "صدى الجبل" أن شخصين قتلا.')).toEqual([]);
});

test("finds what an outlet made, numbered stations, names written as one word, and names misspelled", () => {
  expect(names("A New York Times profile on him reports that many say so.")).toEqual(["The New York Times"]);
  expect(names("An American channel 10 News revealed that she had filed a report.")).toEqual(["10 News"]);
  expect(names("The portal dailycaller said the king may fly.")).toEqual(["The Daily Caller"]);
  expect(names("Politico's Jane Doe was one of the first to report the news.")).toEqual(["Politico"]);
  expect(names('أفادت صحيفة "وول سترتيت جورنال" أن الأمر شمل المنزل.')).toEqual(["The Wall Street Journal"]);
  expect(names("عن عدم نشر معلومات عن علاقة مع العارضة في مجلة بلاي بوي.")).toEqual([]);
  expect(names("They released a statement on Michaeljackson.com in which they lauded it.")).toEqual([]);
});

test("a curly quotation that a straight quote closes ends there", () => {
  const text = '“He told me that he was following it himself," the father told the Jordan Times. "He is dear to me.”';
  expect(names(text)).toEqual(["The Jordan Times"]);
});

test("a short name stands for the one in full that came before, and for itself where none did", () => {
  expect(names("The Washington Post said so. Later the Post reported that he would go.")).toEqual([
    "The Washington Post",
  ]);
  expect(names("The New York Times said so. The Times reported on Monday that he would go.")).toEqual([
    "The New York Times",
  ]);
  expect(names("The Washington Post said so. The Times reported on Monday that he would go.")).toEqual([
    "The Washington Post",
    "The Times",
  ]);
});

test("an adjective between what an outlet is and its name leaves it the name of an outlet", () => {
  for (const text of [
    "ذكرت وكالة الأنباء الرسمية سانا أن شخصين قتلا.",
    'ونقلت وكالة "رويترز" عن الوزير قوله إن السد لن يغلق.',
    'ونقل موقع "صدى الجبل" عن الوزير قوله إن السد لن يغلق.',
  ])
    expect([text, names(text).length]).toEqual([text, 1]);
  for (const text of [
    "ونقلت البوابة العربية عن الوزير قوله إن السد لن يغلق.",
    "ونقلت شبكة الطرق عن الوزير أن السد لن يغلق.",
  ])
    expect([text, names(text)]).toEqual([text, []]);
});
