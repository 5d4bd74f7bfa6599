import { z } from "@hono/zod-openapi";
import { ARGUMENT_ROLES, EVENT_TYPES } from "./lexicon.ts";

const Place = z.object({ start: z.int().min(0), end: z.int().min(0) });

/** What `/re` answers: the arguments of the events that a text tells of. */
export const TextRelations = z
  .object({
    relations: z.array(
      z.object({
        predicate: z.enum(ARGUMENT_ROLES).openapi({ description: "What the object is to the event." }),
        subject: z.string().openapi({ description: "The word that names the event.", example: "افتتح" }),
        object: z.string().openapi({ example: "رئيس الوزراء" }),
        event: z.enum(EVENT_TYPES).openapi({ description: "What happens." }),
        confidence: z.number().min(0).max(1),
        offsets: z
          .object({ predicate: Place.nullable(), subject: Place, object: Place })
          .openapi({ description: "Code points, end exclusive. A predicate is a role, and stands nowhere." }),
      }),
    ),
  })
  .openapi("TextRelations");
export type TextRelations = z.output<typeof TextRelations>;
