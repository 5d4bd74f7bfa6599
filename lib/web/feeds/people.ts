import { trimEnd } from "../../std/mod.ts";
import { childrenOf, textUnder, type XmlElement } from "./xml/read-xml.ts";
import { plainTextOf } from "./plain-text.ts";

const MAX_NAME = 500;

/**
 * The name of a person as RSS writes it: `me@example.com (A. Writer)`, `A. Writer <me@example.com>`, or a bare name.
 */
export function personName(text: string): string {
  const plain = plainTextOf(text.slice(0, MAX_NAME).replace(/<([^<>\s@]+@[^<>\s]+)>/g, "($1)")).trim();
  const open = plain.indexOf("(");
  if (open > 0 && plain.endsWith(")")) {
    if (isAddress(plain.slice(0, open).trim())) return plain.slice(open + 1, -1).trim();
    const last = plain.lastIndexOf("(");
    if (isAddress(plain.slice(last + 1, -1).replace(/^mailto:/, ""))) return plain.slice(0, last).trim();
  }
  const end = plain.search(/[\s,][^\s,]*$/);
  return end > 0 && isAddress(plain.slice(end + 1)) ? trimEnd(plain.slice(0, end), /[\s,]/) : plain;
}

function isAddress(text: string): boolean {
  return text.length <= MAX_NAME && /^[^\s@]+@\S+$/.test(text);
}

/** The names of an element's authors, joined with a comma: Atom's nested elements, or RSS's and Dublin Core's texts. */
export function authorsOf(element: XmlElement): string {
  const names: string[] = [];
  for (const tag of ["author", "dc:creator", "dc:author", "itunes:author"]) {
    for (const person of childrenOf(element, tag)) {
      const named = childrenOf(person, "name")[0] ?? childrenOf(person, "email")[0];
      const name = personName(textUnder(named ?? person));
      if (name !== "" && !names.includes(name)) names.push(name);
    }
    if (names.length > 0) break;
  }
  return names.join(", ");
}
