import { bareForm } from "./bare-form.ts";
import type { Candidate } from "./candidates.ts";

/** Words that the jussive stands behind, with the conjunctions that can be joined to them. */
const PARTICLE = /^[وفا]?(?:لم|لما|ان|من|ما|مهما|متي|اينما|حيثما)$/u;

/** The particle of prohibition, which is that of denial before anybody but the person spoken to. */
const PROHIBITION = /^[وف]?لا$/u;

/**
 * Whether a reading is a verb in a form of the jussive alone (يقل of قال) behind a word that does not bring one:
 * `before` is the word before it, undefined at the beginning of a sentence.
 */
export function isStrayJussive({ analyses }: Candidate, before: string | undefined): boolean {
  if (analyses.length === 0) return false;
  const isJussive = analyses.every(({ features }) => features.mod === "j" && features.prc1?.startsWith("li") !== true);
  const particle = bareForm(before ?? "");
  const isForbidden = PROHIBITION.test(particle) && analyses.some(({ features }) => features.per === "2");
  return isJussive && !isForbidden && !PARTICLE.test(particle);
}
