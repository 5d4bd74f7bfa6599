import { createTransport } from "nodemailer";
import type { Refusal } from "./webhook.ts";

/** A server that takes e-mail, and as whom it is sent. */
export type MailOptions = {
  /** Holds `smtp://` or `smtps://`, user, password, host and port. */
  url: string;
  /** The sender's address, with a name where it has one. */
  from: string;
  timeoutMs?: number | undefined;
};

/** A letter. `id` is the same whenever it is sent. */
export type Letter = { to: string; subject: string; text: string; html: string; id: string };

/** Sends a letter; returns why it was not taken, null where it was. */
export type Mail = (letter: Letter) => Promise<Refusal | null>;

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
