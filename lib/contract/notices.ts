import { z } from "zod";
import { isWebUrl } from "../text/url.ts";
import type { WebhookEvent } from "./events-v1.ts";

/** Names the forms in which events are sent. */
const HOOK_FORMS = ["json", "slack", "telegram", "matrix", "ntfy", "email"] as const;
export type HookForm = (typeof HOOK_FORMS)[number];

/** The address that events go to, and in which form. */
export type HookAddress = { form: Exclude<HookForm, "email">; url: URL } | { form: "email"; to: string };

/** Holds what the URL of a form must have beside being one, in words. */
const RULES: Record<Exclude<HookForm, "email">, { has(url: URL): boolean; rule: string }> = {
  json: { has: () => true, rule: "" },
  slack: { has: ({ pathname }) => pathname.length > 1, rule: "must be slack+ and the URL of an incoming webhook" },
  telegram: {
    has: ({ pathname, searchParams }) =>
      pathname.endsWith("/sendMessage") && (searchParams.get("chat_id") ?? "") !== "",
    rule: "must be telegram+https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>",
  },
  matrix: {
    has: ({ pathname, password }) => /\/(?:!|%21)[^/]+$/.test(pathname) && password !== "",
    rule: "must be matrix+https://:<access token>@<home server>/<room id>, the room's id with its !",
  },
  ntfy: { has: ({ pathname }) => /\/[\w-]{1,64}$/.test(pathname), rule: "must be ntfy+https://<server>/<topic>" },
};

const FORM = /^(?:(slack|telegram|matrix|ntfy)\+)?(?=https?:\/\/)/i;

const ANY =
  "must be an absolute http or https URL, one with slack+, telegram+, matrix+ or ntfy+ before it, or mailto: and an address";

/**
 * Reads where events go to: an http or https URL, which gets them as JSON; one with a form's name and `+` before it; or
 * `mailto:` and one address. Returns the rule that is broken, in words, where it is none of these.
 */
export function readHookAddress(address: string): HookAddress | string {
  const [, to] = /^mailto:(.+)$/i.exec(address) ?? [];
  if (to !== undefined)
    return z.email().safeParse(to).success ? { form: "email", to } : "must be mailto: and one address";
  const [prefix, name = "json"] = FORM.exec(address) ?? [];
  const form = HOOK_FORMS.find((each) => each === name.toLowerCase());
  const text = address.slice(prefix?.length ?? 0);
  if (prefix === undefined || form === undefined || form === "email" || !isWebUrl(text)) return ANY;
  const url = new URL(text);
  return RULES[form].has(url) ? { form, url } : RULES[form].rule;
}

/** Names the kinds of events that the operator may have people told of. */
export const NOTICE_KINDS = [
  "claim.repeated",
  "source.quiet",
  "source.doubled",
  "source.usual",
  "story.created",
  "story.updated",
  "article.upserted",
  "article.revised",
  "article.deleted",
] as const satisfies readonly WebhookEvent["type"][];
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** The kinds that are told where none are named. */
export const DEFAULT_NOTICE_KINDS: readonly NoticeKind[] = NOTICE_KINDS.slice(0, 4);
