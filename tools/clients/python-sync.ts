/** Holds what of the asynchronous client is otherwise where a program waits. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\basync (?=def |for |with )/g, ""],
  [/\bawait /g, ""],
  [/\basyncio\b/g, "time"],
  [/\bAsync(?=Isnad|Operations|Iterator|Client|BaseTransport)/g, ""],
  [/\b__a(?=enter__|exit__)/g, "__"],
  [/\.a(?=read\(|close\(|iter_lines\()/g, "."],
];

const HEAD = /^"""[^"]{1,300}"""\n/;

/** Returns the client that waits, made from the asynchronous one. @throws Error where something of it is left */
export function syncClient(source: string): string {
  const made = WORDS.reduce((text, [word, instead]) => text.replaceAll(word, instead), source.replace(HEAD, ""));
  const text = made
    .replace("An asynchronous client.", "A client that waits.")
    .replace("import time\nimport json\n", "import json\nimport time\n");
  const [left] = /\b(?:async|await|Async)\w*/.exec(text) ?? [];
  if (left !== undefined) throw new Error(`the client that waits would have ${left}`);
  return `# Made by \`bun run clients\` from \`_async.py\`: do not edit.\n"""The client that waits."""\n${text}`;
}
