import { isObject } from "@isnad/lib/std";

type Schema = Record<string, unknown>;

const record = (value: unknown): Schema => (isObject(value) ? value : {});

/** Makes the smallest value of a schema: its example, default or first choice, and of an object what is required. */
export function sampleOf(schema: Schema, schemas: Schema, depth = 0): unknown {
  const { $ref, example, default: fallback, enum: choices, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === "string") return sampleOf(record(schemas[$ref.split("/").at(-1) ?? ""]), schemas, depth);
  if (example !== undefined) return example;
  if (fallback !== undefined && fallback !== null) return fallback;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(choices)) return choices[0];
  if (type === "object" && isObject(schema.properties)) return sampleObject(schema, schemas, depth);
  const options = [anyOf, oneOf, allOf].find(Array.isArray);
  if (options !== undefined) return sampleOf(record(options[0]), schemas, depth + 1);
  const kind = [type].flat().find((each) => each !== "null");
  if (kind === "object") return sampleObject(schema, schemas, depth);
  if (kind === "array") {
    const count = Math.max(Number(schema.minItems ?? 0), depth < 4 ? 1 : 0);
    return Array.from({ length: count }, () => sampleOf(record(schema.items), schemas, depth + 1));
  }
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number") return Number(schema.minimum ?? schema.exclusiveMinimum ?? 0) || 1;
  return sampleText(schema);
}

function sampleObject({ properties, required }: Schema, schemas: Schema, depth: number): Schema {
  const needed = Array.isArray(required) ? required.map(String) : [];
  return Object.fromEntries(
    needed.map((name) => [name, sampleOf(record(record(properties)[name]), schemas, depth + 1)]),
  );
}

function sampleText({ format, minLength }: Schema): string {
  if (format === "uri") return "https://news.example/1";
  if (format === "date-time") return "2026-01-05T08:00:00Z";
  if (format === "uuid") return "00000000-0000-4000-8000-000000000000";
  return "a".repeat(Math.max(1, Number(minLength ?? 1)));
}
