import { z } from "@isnad/lib/service/http";

/**
 * A pattern for the path and query of an address, as robots.txt writes them (RFC 9309): it matches what begins with it,
 * `*` stands for anything and a `$` at the end for the end. Matching takes time in proportion to the address.
 */
export const UrlPattern = z
  .string()
  .max(500)
  .regex(/^[/*]\S*$/, { error: "must begin with / or *, such as /news/ or *.html$" })
  .refine((pattern) => !pattern.slice(0, -1).includes("$"), { error: "may have a $ at its end only" });
