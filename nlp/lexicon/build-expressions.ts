/**
 * Makes `expressions.json` out of the Arabic part of the Unicode CLDR: `bun nlp/lexicon/build-expressions.ts [FILE]`.
 * Needs the data folder (ISNAD_SHARED, else ../shared).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { z } from "@isnad/lib/service/http";
import { foldToken } from "../../lib/models/tasks/entities/find-entities.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLDR = join(process.env.ISNAD_SHARED ?? join(ROOT, "../shared"), "data/linguistic/cldr_ar");
const LOCALES = ["ar", "ar-LB"];
/** Kinds of units that are amounts of time, or no units of what is counted. */
const NO_UNIT =
  /^(?:duration-|concentr-(?:item|percent|permille|permyriad|permillion)|10p|1024p|power[23]|per$|times$|coordinateUnit)/;

/** Words that count other things more often than they measure. */
const AMBIGUOUS =
  /^(?:ام|دور[هات]+|نقط.*|نقاط.*|رش.*|قطر.*|كوب.*|اكواب|قدح|اقداح|ستون|درهم.*|شمعه|قمحه|عقده|سعره|مول|بار|قامه)$/;

/** Regions of no government, unions, and names that mean something else as well (ML, QA, MA). */
const NO_COUNTRY = new Set([
  "AQ",
  "EU",
  "EZ",
  "UN",
  "QO",
  "ZZ",
  "XA",
  "XB",
  "IO",
  "ML",
  "MA",
  "QA",
  "AC",
  "CP",
  "DG",
  "BV",
]);

/** Returns what stands in the part `name` of a locale, at `path`. */
function read(name: string, locale: string, path: readonly string[]): unknown {
  let at: unknown = JSON.parse(readFileSync(join(CLDR, `${locale}.${name}.json`), "utf8"));
  for (const key of ["main", locale, ...path]) at = Object(at)[key];
  return at;
}

const names = z.record(z.string(), z.string());
const fold = (text: string): string => text.trim().split(/\s+/).map(foldToken).join(" ");
const sorted = (all: Iterable<string>): string[] =>
  [...new Set(all)].filter((name) => /^[\u0621-\u064a ]{2,}$/.test(name)).sort();

function calendar(locale: string, kind: "gregorian" | "islamic"): string[] {
  return Object.values(
    names.parse(read(`ca-${kind}`, locale, ["dates", "calendars", kind, "months", "format", "wide"])),
  );
}

function currencies(locale: string): string[] {
  const all = z.record(z.string(), names).parse(read("currencies", locale, ["numbers", "currencies"]));
  return Object.values(all).flatMap((forms) =>
    Object.entries(forms).flatMap(([key, name]) =>
      key.startsWith("displayName") && !name.includes("-") ? [name] : [],
    ),
  );
}

function units(locale: string): string[] {
  const all = z.record(z.string(), z.unknown()).parse(read("units", locale, ["units", "long"]));
  return Object.entries(all).flatMap(([kind, forms]) =>
    NO_UNIT.test(kind)
      ? []
      : Object.entries(Object(forms)).flatMap(([key, name]) =>
          typeof name === "string" && /^(?:displayName|unitPattern)/.test(key) ? [name.replace("{0}", "")] : [],
        ),
  );
}

/** Countries; names that are also other words are left out. */
function countries(): string[] {
  const all = names.parse(read("territories", "ar", ["localeDisplayNames", "territories"]));
  return Object.entries(all).flatMap(([code, name]) =>
    /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? [name] : [],
  );
}

const table = {
  countries: sorted(countries().map(fold)),
  months: sorted(
    LOCALES.flatMap((locale) => [...calendar(locale, "gregorian"), ...calendar(locale, "islamic")]).map(fold),
  ),
  currencies: sorted(currencies("ar").map(fold)),
  units: sorted(units("ar").map(fold)).filter((name) => !AMBIGUOUS.test(name)),
};
writeFileSync(process.argv[2] ?? join(ROOT, "nlp/lexicon/expressions.json"), `${JSON.stringify(table, null, 2)}\n`);
