import { type HttpContext, type HttpEnv, jsonBody, type Limiter, type OpenAPIHono, z } from "@isnad/lib/service/http";
import type { Analysers } from "../analysis.ts";
import { DIALECTS, type IdentifiedDialect } from "../../../lib/arabic/dialect/identify.ts";
import { bothForms, eachText, orSeveral, requireArabic, requireLength, textField, textFields } from "./both-forms.ts";

type IdentifyDeps = { analysers: Pick<Analysers, "call">; limiter: Limiter };

/** GET and POST /dialect/identify: which Arabic a text is in. */
export function addIdentify(app: OpenAPIHono<HttpEnv>, deps: IdentifyDeps): void {
  app.openapi({ ...posted, middleware: [jsonBody()] }, async (c) => {
    const one = (text: string) => answer(deps, c, text, false);
    return c.json(await eachText(c.req.valid("json"), one), 200);
  });
  app.openapi(got, async (c) => c.json(await answer(deps, c, c.req.valid("query").text, true), 200));
}

async function answer(
  { analysers, limiter }: IdentifyDeps,
  c: HttpContext,
  text: string,
  inUrl: boolean,
): Promise<IdentifiedDialect> {
  requireLength(text, { inUrl });
  requireArabic(text);
  const { signal } = c.req.raw;
  const call = { signal, retry: true, kind: "/dialect/identify", cost: text.length };
  return await limiter.run(() => analysers.call("identify", text, call), { signal, client: c.var.client });
}

const chance = z.number().min(0).max(1);

/** Holds which Arabic a text is in. */
export const DialectView = z
  .object({
    dialect: z.enum(DIALECTS).openapi({ description: "The likeliest; `msa` is the standard language." }),
    scores: z
      .object({
        ...{ msa: chance, levantine: chance, egyptian: chance, gulf: chance, maghrebi: chance, iraqi: chance },
      })
      .openapi({
        description: "The probability of each; together 1. A short text has few that is far above the others.",
      }),
  })
  .openapi("IdentifiedDialect");

const { posted, got } = bothForms({
  path: "/dialect/identify",
  noun: "Dialect",
  tag: "dialect",
  summary: "Which Arabic a text is in: the standard language, or that of one of five regions",
  description:
    "By its words and their parts. A sentence that people of two regions would say alike is that of either; Sudanese, Yemeni and other speech that is none of the six is told as the one that is nearest.",
  answer: { description: "The dialect and the scores of all.", schema: DialectView },
  several: orSeveral(DialectView),
  body: z.object(textFields()).openapi("IdentifyRequest"),
  query: z.object({ text: textField({ inUrl: true }) }),
});
