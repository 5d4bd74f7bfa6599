import { createHash } from "node:crypto";
import { readHookAddress, WebhookEvent } from "@isnad/lib/contract";
import type { EventKind } from "@isnad/lib/store";
import { htmlOf, requestOf, textOf } from "./forms.ts";
import type { Mail } from "./mail.ts";
import { noticeOf, type Notice, type NoticeRules } from "./notice.ts";
import type { Consumer } from "./relay.ts";
import {
  createPost,
  createRequest,
  deliverEach,
  type Posting,
  type PostOptions,
  readTarget,
  type Refusal,
} from "./webhook.ts";

/** Sends an event to an address in the form that it names; returns why it was not taken, null where it was. */
export type Send = (address: string, event: Posting, signal: AbortSignal) => Promise<Refusal | null>;

/** The parts that events are sent with; without `mail` none goes by e-mail. */
export type SendOptions = PostOptions & { notices: NoticeRules; mail?: Mail | undefined };

/** Makes what sends events to any address. */
export function createSend({ notices, mail, ...options }: SendOptions): Send {
  const post = createPost(options);
  const request = createRequest(options);
  return async (address, event, signal) => {
    const hook = readHookAddress(address);
    if (typeof hook === "string") return { reason: `the address ${hook}` };
    if (hook.form === "json") return await post(readTarget(hook.url.href), event, signal);
    const told = WebhookEvent.safeParse(event.body);
    const notice = told.success ? noticeOf(told.data, notices) : undefined;
    // Nothing to tell.
    if (notice === undefined) return null;
    const key = `isnad-${event.id}-${createHash("sha256").update(address).digest("hex").slice(0, 16)}`;
    if (hook.form !== "email") {
      return await request(requestOf({ form: hook.form, url: hook.url }, notice, key), signal);
    }
    if (mail === undefined) return { reason: "SMTP_URL is not set" };
    return await mail({ to: hook.to, id: key, ...letterOf(notice) });
  };
}

/** Longest subject of a letter, in code points. */
const MAX_SUBJECT = 150;

function letterOf(notice: Notice): { subject: string; text: string; html: string } {
  const subject = [...[notice.title, notice.lines[0]?.text ?? ""].join(" · ")].slice(0, MAX_SUBJECT).join("");
  return { subject, text: `${textOf(notice)}\n`, html: `<p dir="auto">${htmlOf(notice, '</p>\n<p dir="auto">')}</p>` };
}

/** An address that the operator has named, and the kinds of events that it is told of. */
type NoticesOptions = Omit<SendOptions, "allowPrivateHosts"> & {
  address: string;
  events: readonly EventKind[];
  allowPrivateHosts?: string;
};

/**
 * A consumer that tells an address of events from now on. The address may lead to the private host that it plainly
 * names.
 */
export function notices({ address, events, allowPrivateHosts = "", ...options }: NoticesOptions): Consumer {
  const hook = readHookAddress(address);
  const host = typeof hook === "string" || hook.form === "email" ? "" : readTarget(hook.url.href).privateHost;
  const send = createSend({ ...options, allowPrivateHosts: `${allowPrivateHosts} ${host}` });
  const kinds = new Set<string>(events);
  return {
    name: `notice:${createHash("sha256").update(address).digest("hex").slice(0, 16)}`,
    batch: 64,
    isFromNow: true,
    deliver: (batch, signal) =>
      deliverEach(
        batch.filter(({ type }) => kinds.has(type)),
        // No receiver checks a signature.
        (event) => send(address, { ...event, secret: "" }, signal),
      ),
  };
}
