import { z } from "@isnad/lib/http";
import { normalForm } from "@isnad/lib/text";
import { type Asked, type Conditions, conditionsOf, holds, union } from "./conditions.ts";
import { lettersOf } from "./transliteration.ts";

const Literals = z.array(z.array(z.int()));
const Rules = z.object({
  conditions: z.array(z.string()),
  classes: z.record(z.string(), z.array(z.tuple([z.string(), Literals, z.array(z.int()), z.string()]))),
  orders: z.array(
    z.object({
      prefix: z.array(z.string()),
      stem: z.string(),
      buffer: z.string(),
      suffix: z.array(z.string()),
      pos: z.string(),
    }),
  ),
  signatures: z.array(z.tuple([z.string(), Literals, z.array(z.int()), z.string(), z.string()])),
});

/**
 * Grammatical features by name, as the lexicon writes them: `gen:m num:s per:3 asp:p vox:a prc1:bi_prep enc0:3ms_poss`.
 */
export type Features = Readonly<Record<string, string>>;

/** What stands before a stem, or after it, as one piece. */
type Affix = { form: string; asks: Asked; brings: Conditions; features: Features };

/** What can stand before a stem: proclitics and the prefix of the imperfect. */
export type Prefix = Affix;

/** What can stand after a stem, with the sequence of prefixes that goes with it. */
export type Ending = Affix & { sequence: number };

/** What all stems of a kind share: how they are joined, their part of speech and features. */
export type Signature = { asks: Asked; brings: Conditions; features: Features; pos: string };

/** How words are built: what can stand before and after the stems of a signature. */
export type WordRules = {
  signature(number: number): Signature;
  /** The prefixes of a sequence that are written so, in normal form. */
  prefixes(sequence: number, letters: string): readonly Prefix[];
  /** The endings of stems of a signature that are written so, in normal form. */
  endings(signature: number, letters: string): readonly Ending[];
  /** Whether the parts of a word go together. */
  agree(prefix: Prefix, signature: number, ending: Ending): boolean;
  longestPrefix: number;
};

/** Distinctions that unvowelled text does not show: of endings that differ in them alone one is kept. */
const UNWRITTEN = new Set(["cas", "mod", "stt"]);

/** Makes the rules out of `rules.json`. Throws when it has another form. */
export function createRules(json: string): WordRules {
  const { conditions, classes, orders, signatures: listed } = Rules.parse(JSON.parse(json));
  const size = conditions.length;
  const morphemes = new Map<string, Affix[]>(
    Object.entries(classes).map(([name, list]) => [
      name,
      list.map(([form, asks, brings, features]) => ({
        form,
        asks,
        brings: conditionsOf(brings, size),
        features: featuresOf(features),
      })),
    ]),
  );
  const signatures = listed.map(([, asks, brings, features, pos]) => ({
    asks,
    brings: conditionsOf(brings, size),
    features: featuresOf(features),
    pos,
  }));
  const sequences = [...new Set(orders.map(({ prefix }) => prefix.join(" ")))];
  const prefixes = sequences.map((names) =>
    Map.groupBy(products((names === "" ? [] : names.split(" ")).map((name) => morphemes.get(name) ?? [])), ({ form }) =>
      normalForm(lettersOf(form)),
    ),
  );
  const fromPrefixes = new Set(
    orders.flatMap(({ prefix }) => prefix.flatMap((name) => (classes[name] ?? []).flatMap(([, , brings]) => brings))),
  );
  const nothing = conditionsOf([], size);
  const affixed = broughtBy(classes);
  const groups = new Map<string, Map<string, Ending[]>>();
  const byNumber = new Map<number, Map<string, Ending[]>>();

  /** The endings of a signature by their letters; signatures that are joined alike share them. */
  function endingsOf(number: number): Map<string, Ending[]> {
    const [stemClass = "", asks = [], brings = [], , pos = ""] = listed[number] ?? [];
    const key = JSON.stringify([stemClass, asks, brings, pos === "adj"]);
    let endings = groups.get(key);
    if (endings === undefined) {
      endings = joined(stemClass, asks, conditionsOf(brings, size), pos);
      groups.set(key, endings);
    }
    return endings;
  }

  function joined(stemClass: string, asks: Asked, brings: Conditions, pos: string): Map<string, Ending[]> {
    const all = new Map<string, Ending>();
    for (const order of orders) {
      if (order.stem !== stemClass || (order.pos === "adj" && pos !== "adj")) continue;
      const names = [...(order.buffer === "" ? [] : [order.buffer]), ...order.suffix];
      // What the stem alone decides is looked at first: it leaves few of the hundreds of thousands of combinations.
      const lists = names.map((name) =>
        (morphemes.get(name) ?? []).filter((each) =>
          holds(
            each.asks.filter((clause) => !concerns(clause, affixed)),
            brings,
          ),
        ),
      );
      const sequence = sequences.indexOf(order.prefix.join(" "));
      for (const affix of products(lists)) {
        const brought = union(brings, affix.brings);
        if (!holds(affix.asks, brought)) continue;
        if (
          !holds(
            asks.filter((clause) => !concerns(clause, fromPrefixes)),
            brought,
          )
        )
          continue;
        const letters = lettersOf(affix.form);
        const written = Object.entries(affix.features).filter(([name]) => !UNWRITTEN.has(name));
        const key = JSON.stringify([sequence, letters, written]);
        const before = all.get(key);
        if (before === undefined || affix.form.length < before.form.length) all.set(key, { ...affix, sequence });
      }
    }
    return Map.groupBy(all.values(), ({ form }) => normalForm(lettersOf(form)));
  }

  return {
    signature: (number) => signatures[number] ?? { asks: [], brings: nothing, features: {}, pos: "" },
    prefixes: (sequence, letters) => prefixes[sequence]?.get(letters) ?? [],
    endings(number, letters) {
      let endings = byNumber.get(number);
      if (endings === undefined) {
        endings = endingsOf(number);
        byNumber.set(number, endings);
      }
      return endings.get(letters) ?? [];
    },
    agree(prefix, number, ending) {
      const signature = signatures[number];
      if (signature === undefined) return false;
      const brought = union(prefix.brings, signature.brings, ending.brings);
      return holds(prefix.asks, brought) && holds(signature.asks, brought);
    },
    longestPrefix: Math.max(...prefixes.flatMap((map) => [...map.keys()].map(({ length }) => length))),
  };
}

/** Every way to take one of each list, joined in order. */
function products(lists: readonly (readonly Affix[])[]): Affix[] {
  return lists.reduce<Affix[]>(
    (before, list) =>
      before.flatMap((head) =>
        list.map((next) => ({
          form: head.form + next.form,
          asks: [...head.asks, ...next.asks],
          brings: head.brings.length === 0 ? next.brings : union(head.brings, next.brings),
          features: { ...head.features, ...next.features },
        })),
      ),
    [{ form: "", asks: [], brings: new Uint32Array(0), features: {} }],
  );
}

/** The conditions that some prefix, buffer or suffix brings. */
function broughtBy(classes: z.output<typeof Rules>["classes"]): ReadonlySet<number> {
  return new Set(Object.values(classes).flatMap((list) => list.flatMap(([, , brings]) => brings)));
}

function concerns(clause: readonly number[], conditions: ReadonlySet<number>): boolean {
  return clause.some((literal) => conditions.has(literal < 0 ? -1 - literal : literal));
}

function featuresOf(text: string): Features {
  return Object.fromEntries(
    text
      .split(" ")
      .filter((each) => each.includes(":"))
      .map((each) => [each.slice(0, each.indexOf(":")), each.slice(each.indexOf(":") + 1)]),
  );
}
