import { createHash } from "node:crypto";
import { readHookAddress, WebhookEvent } from "@isnad/lib/contract";
import type { EventKind } from "@isnad/lib/store";
import { createTransport } from "nodemailer";
import { htmlOf, type Notice, noticeOf, type NoticeRules, requestOf, textOf } from "./notice.ts";
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

/** A server that takes e-mail, and as whom it is sent. */
type MailOptions = {
  /** Holds `smtp://` or `smtps://`, user, password, host and port. */
  url: string;
  /** The sender's address, with a name where it has one. */
  from: string;
  timeoutMs?: number | undefined;
};

/** A letter. `id` is the same whenever it is sent. */
type Letter = { to: string; subject: string; text: string; html: string; id: string };

/** Sends a letter; returns why it was not taken, null where it was. */
type Mail = (letter: Letter) => Promise<Refusal | null>;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Makes what sends e-mail by SMTP. A password goes over TLS alone, but to this machine. What is refused is named by its
 * code: the server's words may hold addresses.
 */
export function createMail({ url, from, timeoutMs = 10_000 }: MailOptions): Mail {
  const { hostname, port, protocol, username, password } = new URL(url);
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
  const isSecret = password !== "" && !LOOPBACK.test(hostname);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? undefined : Number(port),
    secure: protocol === "smtps:",
    requireTLS: isSecret && protocol !== "smtps:",
    ...(user !== "" && { auth: { user, pass } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ id, ...letter }) => {
    try {
      await transport.sendMail({
        ...letter,
        from,
        messageId: `<${id}@isnad.invalid>`,
        headers: { "Auto-Submitted": "auto-generated" },
      });
      return null;
    } catch (error) {
      return { reason: reasonOf(error) };
    }
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "the mail server failed";
  const status = "responseCode" in error && typeof error.responseCode === "number" ? error.responseCode : undefined;
  if (status !== undefined) return `the mail server answered ${status}`;
  const code = "code" in error && typeof error.code === "string" ? error.code : error.name;
  return `the mail server could not be used: ${code}`;
}
