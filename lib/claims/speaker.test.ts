import { describe, expect, test } from "bun:test";
import { codePointSlice, sentences } from "../text/mod.ts";
import type { NamedEntity } from "../store/mod.ts";
import { speakersOf } from "./speaker.ts";

/** Who is named as having said each sentence; names are found where they stand, by their types. */
function speakers(content: string, names: Record<string, string>): (string | undefined)[] {
  const entities = Object.entries(names).map(([name, type], i): NamedEntity => {
    const spans: number[] = [];
    for (let at = content.indexOf(name); at >= 0; at = content.indexOf(name, at + 1)) {
      const start = [...content.slice(0, at)].length;
      spans.push(start, start + [...name].length);
    }
    return { articleId: 1, entityId: i + 1, name, type, spans };
  });
  return speakersOf(content, sentences(content), entities).map((speaker) => {
    if (speaker !== undefined) expect(codePointSlice(content, speaker.start, speaker.end)).toBe(speaker.name);
    return speaker?.name;
  });
}

describe("who said it", () => {
  test.each<[string, Record<string, string>, string | undefined]>([
    ["Ali Hassan said prices rose by 5 percent.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Prices rose by 5 percent, the minister Ali Hassan said.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ['"Prices rose by 5 percent," said Dr Ali Hassan.', { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Ali Hassan, the minister of finance, said prices rose.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Prices rose, according to the World Bank.", { "World Bank": "ORG" }, "World Bank"],
    ["قال وزير المالية علي حسن إن الأسعار ارتفعت.", { "وزير المالية": "OCC", "علي حسن": "PERS" }, "علي حسن"],
    ["ارتفعت الأسعار بحسب البنك الدولي.", { "البنك الدولي": "ORG" }, "البنك الدولي"],
    ["لكن علي حسن قال إن الأسعار ارتفعت.", { "علي حسن": "PERS" }, "علي حسن"],
    ["😀 قالت سارة إن الأسعار ارتفعت.", { سارة: "PERS" }, "سارة"],
    ["😀 قَالَ الوَزِيرُ سَامِي الحَدَّاد إِنَّ الأَسْعَارَ ارْتَفَعَتْ.", { "سَامِي الحَدَّاد": "PERS" }, "سَامِي الحَدَّاد"],
    ["ارْتَفَعَتِ الأَسْعَارُ بِحَسَبِ البَنْكِ الدَّوْلِيّ.", { "البَنْكِ الدَّوْلِيّ": "ORG" }, "البَنْكِ الدَّوْلِيّ"],
    ["لَكِنَّ عَلِي حَسَن قـــال إنّ الأسعارَ ارتفعت.", { "عَلِي حَسَن": "PERS" }, "عَلِي حَسَن"],
    ["Prices rose by 5 percent in Beirut.", { Beirut: "LOC" }, undefined],
    ["A man in Beirut said prices rose.", { Beirut: "LOC" }, undefined],
    ["Officials said prices rose by 5 percent.", {}, undefined],
    ["Prices rose by 5 percent, Reuters reported.", { Reuters: "ORG" }, undefined],
    ["قال رجل في بيروت إن الأسعار ارتفعت.", { بيروت: "GPE" }, undefined],
    ["ذكرت وكالة رويترز أن الأسعار ارتفعت.", { "وكالة رويترز": "ORG" }, undefined],
    ["أكدت زوجة الرئيس سامي، منى علي، أن الأسعار ارتفعت.", { سامي: "PERS", "منى علي": "PERS" }, "منى علي"],
    ["Another user said: “ISIS has announced a killing,” and left.", { ISIS: "ORG" }, undefined],
    ["Prices rose by 5 percent, the Times of India reports.", { "Times of India": "ORG" }, undefined],
    ["Acme Bank has maintained its price target.", { "Acme Bank": "ORG" }, undefined],
    ["Ali Hassan added the cup to his list.", { "Ali Hassan": "PER" }, undefined],
    ["Acme Bank is said to be bankrupt.", { "Acme Bank": "ORG" }, undefined],
    ["Acme Bank maintained that prices rose.", { "Acme Bank": "ORG" }, "Acme Bank"],
    ["نقلاً عن الاتحاد الإماراتية ارتفعت الأسعار.", { "الاتحاد الإماراتية": "ORG" }, undefined],
    ["أصدر الحزب بياناً بعد ذكر اسمه في قضية علي حسن.", { "علي حسن": "PERS" }, undefined],
    ["وكان علي حسن قد قال إن الأسعار ارتفعت.", { "علي حسن": "PERS" }, "علي حسن"],
    ["President Ali Hassan himself, who told a meeting that prices rose.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    [
      "Ali Hassan has attacked the banks, saying they treated people like thieves.",
      { "Ali Hassan": "PER" },
      "Ali Hassan",
    ],
    ["Ali Hassan asked for help against the group, which he said has no place.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["وقالت صحيفة هاآرتس الإسرائيلية إن الأسعار ارتفعت.", { "هاآرتس الإسرائيلية": "ORG" }, undefined],
    ["Prices rose, the newspaper Alpha said.", { Alpha: "ORG" }, undefined],
    ["Prices rose, Ali Hassan told the newspaper Alpha.", { "Ali Hassan": "PER", Alpha: "ORG" }, "Ali Hassan"],
    ["ونقلت صحيفة هاآرتس عن علي حسن قوله إن الأسعار ارتفعت.", { هاآرتس: "ORG", "علي حسن": "PERS" }, "علي حسن"],
    ["وذكر موقع أكمي أن الأسعار ارتفعت.", { أكمي: "ORG" }, undefined],
    ["وذكر بنك أكمي أن الأسعار ارتفعت.", { "بنك أكمي": "ORG" }, "بنك أكمي"],
    ["Ali Hassan wrote about prices for Time magazine.", { "Ali Hassan": "PER" }, undefined],
    ["ارتفعت الأسعار وفق ما أكده مصدر أمني لإذاعة الجوهرة أف أم.", { "الجوهرة أف أم": "ORG" }, undefined],
    ["ارتفعت الأسعار بحسب الجوهرة أف أم.", { "الجوهرة أف أم": "ORG" }, undefined],
    ["Ali Hassan told reporters that prices rose.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Ali Hassan denied that prices rose.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Ali Hassan (42) has repeatedly warned that prices rose.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Acme Bank chief executive said prices rose.", { "Acme Bank": "ORG" }, undefined],
    ["Acme Bank's own report says prices rose.", { "Acme Bank": "ORG" }, "Acme Bank"],
    ["An analyst at Acme Bank said prices rose.", { "Acme Bank": "ORG" }, undefined],
    ["“Prices rose by 5 percent,” explained Ali Hassan.", { "Ali Hassan": "PER" }, "Ali Hassan"],
    ["Prices rose, Ali Hassan of Acme Bank wrote.", { "Ali Hassan": "PER", "Acme Bank": "ORG" }, "Acme Bank"],
    ["وفقا لوزارة الصحة ارتفعت الأسعار.", { "وزارة الصحة": "ORG" }, "وزارة الصحة"],
    ["أعلنت وزارة الصحة ارتفاع الأسعار.", { "وزارة الصحة": "ORG" }, "وزارة الصحة"],
    ["نفت شركة أكمي أن الأسعار ارتفعت.", { "شركة أكمي": "ORG" }, "شركة أكمي"],
    ["ونقلت صحيفة الغد عن علي حسن قوله إن الأسعار ارتفعت.", { "صحيفة الغد": "ORG", "علي حسن": "PERS" }, "علي حسن"],
    ["نقلت شركة أكمي 40 راكبا من بيروت.", { "شركة أكمي": "ORG" }, undefined],
    ["قالت مصادر مطلعة إن الأسعار ارتفعت.", {}, undefined],
  ])("%s", (content, names, expected) => {
    expect(speakers(content, names)).toEqual([expected]);
  });

  test("goes on over the sentences that follow, until somebody else speaks", () => {
    const names = { "Ali Hassan": "PER", Sara: "PER" };
    const text =
      "Ali Hassan said prices rose. He added that wages fell. It was cold. Sara said otherwise. She said so twice.";
    expect(speakers(text, names)).toEqual(["Ali Hassan", "Ali Hassan", undefined, "Sara", "Sara"]);
    const arabic =
      "قال علي حسن إن الأسعار ارتفعت. وأضاف أن الأجور تراجعت. وقال مصدر إن الطقس بارد. وأوضح أن المطر قليل.";
    expect(speakers(arabic, { "علي حسن": "PERS" })).toEqual(["علي حسن", "علي حسن", undefined, "علي حسن"]);
  });

  test.each<[string, Record<string, string>, (string | undefined)[]]>([
    [
      "The Ministry of Health opened a hospital. The ministry said it holds 40 beds.",
      { "Ministry of Health": "ORG" },
      [undefined, "Ministry of Health"],
    ],
    ["Acme Bank opened a branch. The minister said it holds 40 desks.", { "Acme Bank": "ORG" }, [undefined, undefined]],
    [
      "افتتحت الأكاديمية السويدية مكتبة. وأوضحت الأكاديمية أن فيها 40 كتابا.",
      { "الأكاديمية السويدية": "ORG" },
      [undefined, "الأكاديمية السويدية"],
    ],
    [
      "افتتحت وزارة الصحة مستشفى. وقالت الوزارة الألمانية إن فيه 40 سريرا.",
      { "وزارة الصحة": "ORG" },
      [undefined, undefined],
    ],
    ["نشرت صحيفة الغد خبرا. وقالت الصحيفة إن الأسعار ارتفعت.", { "صحيفة الغد": "ORG" }, [undefined, undefined]],
    ["وقالت وكالة حماية البيئة إن الهواء نقي.", { "وكالة حماية البيئة": "ORG" }, ["وكالة حماية البيئة"]],
    ["وقالت وكالة الأدوية الأوروبية إن الدواء آمن.", { "وكالة الأدوية الأوروبية": "ORG" }, ["وكالة الأدوية الأوروبية"]],
    ["وقالت وكالة الأنباء السعودية إن الهواء نقي.", { "وكالة الأنباء السعودية": "ORG" }, [undefined]],
  ])("takes up an organisation by its kind: %s", (content, names, expected) => {
    expect(speakers(content, names)).toEqual(expected);
  });

  test("is nobody where it goes on from somebody without a name, or another had said it", () => {
    const names = { "Gordon Brown": "PER" };
    expect(speakers("Gordon Brown lies, the party leader said. He said that taxes rose.", names)).toEqual([
      undefined,
      undefined,
    ]);
    const arabic = "قال علي حسن إن الأسعار ارتفعت. وكان رئيس الاتحاد قد قال إن الأجور تراجعت.";
    expect(speakers(arabic, { "علي حسن": "PERS" })).toEqual(["علي حسن", undefined]);
  });
});
