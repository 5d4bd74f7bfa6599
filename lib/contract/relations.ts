import { z } from "@hono/zod-openapi";
import { isObject } from "../std/mod.ts";
import { isNestedWithin, LIMITS, nameField, textField } from "./fields.ts";
import { ARGUMENT_ROLES, EVENT_TYPES } from "./lexicon.ts";

const offset = () => z.int().min(0).max(LIMITS.contentMax);

const Offsets = z
  .looseObject({ start: offset(), end: offset() })
  .refine(({ start, end }) => end >= start, { error: "end must not be before start" })
  .openapi({ description: "Code points of the stored content, end exclusive." });

/** Counts the fields of an object before `schema` sees them: to check or copy one costs ten times as much. */
function withFields<T extends z.ZodType>(max: number, schema: T) {
  return z.preprocess((value, ctx) => {
    if (isObject(value) && Object.keys(value).length > max) ctx.addIssue(`must have at most ${max} entries`);
    return value;
  }, schema);
}

const Relation = z
  .looseObject({
    type: nameField({ max: 255 }),
    args: withFields(
      LIMITS.relationArguments,
      z.record(nameField({ max: 255 }), textField({ min: 0, max: LIMITS.argument })),
    ).openapi({
      description: "What each role is filled with; what names something becomes an entity.",
      maxProperties: LIMITS.relationArguments,
    }),
    confidence: z.number().min(0).max(1),
    offsets: Offsets,
  })
  .openapi("RelationOfPackage");

/** Holds what an inference worker found out about the relations in an article. Further fields are kept as they are. */
export const RelationsPackage = z
  .looseObject({
    doc_id: z
      .union([textField({ min: 1, max: 64 }), z.int().min(1)])
      .transform(String)
      .openapi({
        type: ["string", "integer"],
        minLength: 1,
        maxLength: 64,
        minimum: 1,
        description: "The article's number or its uuid.",
        example: "1",
      }),
    lang: textField({ min: 1, max: 35 }).optional(),
    task_version: z.string().optional(),
    nlp_lab_version: z.string().optional(),
    enrichment_status: z.enum(["ok", "cached", "timeout", "error", "skipped"]),
    relations: z
      .array(withFields(LIMITS.relationFields, Relation))
      .max(LIMITS.relations)
      .optional()
      .openapi({ description: "Required with `ok`." }),
    enrich_ms: z.int().min(0).optional(),
  })
  .check((ctx) => {
    const { value, issues } = ctx;
    if (value.enrichment_status === "ok" && value.relations === undefined) {
      issues.push({
        code: "custom",
        message: "is required with enrichment_status ok",
        input: value,
        path: ["relations"],
      });
    }
    if (!isNestedWithin(value, LIMITS.rawDepth)) {
      const message = `must be nested at most ${LIMITS.rawDepth} levels deep`;
      issues.push({ code: "custom", message, input: value, path: [] });
    }
  })
  .openapi("RelationsPackage", {
    anyOf: [
      { properties: { enrichment_status: { enum: ["cached", "timeout", "error", "skipped"] } } },
      { required: ["relations"] },
    ],
  });
export type RelationsPackage = z.output<typeof RelationsPackage>;

/** Holds what became of a package. */
export const RelationsReceipt = z
  .object({
    doc_id: z.uuid(),
    article_id: z.int(),
    stored: z.int().openapi({ description: "Relations that took the place of those known; 0 unless `ok`." }),
    entities: z.int().openapi({ description: "Distinct entities that they name." }),
    enrichment_status: RelationsPackage.shape.enrichment_status,
    request_id: z.string(),
  })
  .openapi("RelationsReceipt");
export type RelationsReceipt = z.output<typeof RelationsReceipt>;

const Place = z.object({ start: z.int().min(0), end: z.int().min(0) });

/** Holds what `/re` answers: the arguments of the events that a text tells of. */
export const TextRelations = z
  .object({
    relations: z.array(
      z.object({
        predicate: z.enum(ARGUMENT_ROLES).openapi({ description: "What the object is to the event." }),
        subject: z.string().openapi({ description: "The word that names the event.", example: "افتتح" }),
        object: z.string().openapi({ example: "رئيس الوزراء" }),
        event: z.enum(EVENT_TYPES).openapi({ description: "What happens." }),
        event_id: z.int().default(0).openapi({ description: "The same for all relations of one event of the text." }),
        sentence: z.string().default("").openapi({ description: "The sentence that tells of it." }),
        subject_type: z.string().nullable().default(null).openapi({ description: "The type of the event." }),
        object_type: z.string().nullable().default(null).openapi({
          description: "The type of the entity that is the object, as `/ner` has it; null where it is none.",
        }),
        confidence: z.number().min(0).max(1),
        offsets: z
          .object({ predicate: Place.nullable(), subject: Place, object: Place })
          .openapi({ description: "Code points, end exclusive. A predicate is a role, and stands nowhere." }),
      }),
    ),
  })
  .openapi("TextRelations");
export type TextRelations = z.output<typeof TextRelations>;
