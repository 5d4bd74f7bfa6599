import { z } from "@isnad/lib/service/http";

/** An absolute http or https address without user name and password. */
export const WebUrl = z
  .string()
  .max(2048)
  .refine(isWebUrl, { error: "must be an http or https address without credentials" })
  .meta({ format: "uri" });

function isWebUrl(text: string): boolean {
  if (!/^https?:\/\/[^/\s]/i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname } = new URL(text);
  return username === "" && password === "" && hostname !== "";
}
