import { createServer, type Socket } from "node:net";
import { WebhookEvent } from "@isnad/lib/contract";

/** Holds what a receiver of webhooks was sent. */
type Received = {
  body: string;
  headers: Record<string, string>;
  event: { id: number; type: string; articleId: number };
};

/** A receiver of webhooks on loopback, whose behaviour a test can change while it runs. */
export type Receiver = {
  url: string;
  received: Received[];
  /** Answers a request; 200 at once unless it is replaced. */
  answer: (received: Received) => Response | Promise<Response>;
  stop(): Promise<void>;
};

/**
 * Starts a receiver at `url`, or at a path of its own on any free port: an earlier receiver may have had the same port.
 * Requests count as received when they are answered with 2xx.
 */
export function startReceiver(url = `http://127.0.0.1:0/${crypto.randomUUID()}`): Receiver {
  const receiver: Receiver = { url: "", received: [], answer: () => new Response("ok"), stop: async () => {} };
  const { hostname, port, pathname } = new URL(url);
  const server = Bun.serve({
    port: Number(port),
    hostname,
    async fetch(request) {
      if (new URL(request.url).pathname !== pathname) return new Response("", { status: 410 });
      const body = await request.text();
      const event = WebhookEvent.parse(JSON.parse(body));
      const headers = Object.fromEntries(request.headers);
      // Tests of the relay speak of articles.
      if (!("article" in event)) return new Response("ok");
      const received = {
        body,
        headers,
        event: { id: event.id, type: event.type, articleId: event.article.article_id },
      };
      const response = await receiver.answer(received);
      if (response.ok) receiver.received.push(received);
      return response;
    },
  });
  receiver.url = `http://${hostname}:${server.port}${pathname}`;
  receiver.stop = () => server.stop(true);
  return receiver;
}

/** A letter that a mail server was given: who it is for, and its source. */
type TakenMail = { to: string[]; source: string };

/** A mail server on loopback, without TLS, that takes everything unless `answer` says otherwise. */
export type MailServer = {
  url: string;
  taken: TakenMail[];
  /** Returns what a command is answered with; undefined: as usual. */
  answer: (command: string) => string | undefined;
  stop(): Promise<void>;
};

/** Starts a mail server that speaks as much SMTP (RFC 5321) as a client needs, `AUTH PLAIN` for `user` and `pass`. */
export async function startMailServer(): Promise<MailServer> {
  const server: MailServer = { url: "", taken: [], answer: () => undefined, stop: async () => {} };
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serve(socket, server);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  server.url = `smtp://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  server.stop = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => void listener.close(() => resolve()));
  };
  return server;
}

const PLAIN = Buffer.from("\0user\0pass").toString("base64");

function serve(socket: Socket, server: MailServer): void {
  let buffered = "";
  let isData = false;
  let to: string[] = [];
  const reply = (line: string) => void socket.write(`${line}\r\n`);
  const take = (line: string) => {
    const given = server.answer(line);
    if (given !== undefined) return reply(given);
    if (/^EHLO/i.test(line)) return reply("250-mail.example\r\n250 AUTH PLAIN");
    if (/^AUTH/i.test(line)) return reply(line.endsWith(PLAIN) ? "235 welcome" : "535 no");
    if (/^RCPT TO:/i.test(line)) to.push(/<(.*)>/.exec(line)?.[1] ?? "");
    if (/^QUIT/i.test(line)) return void socket.end("221 bye\r\n");
    if (/^DATA/i.test(line)) isData = true;
    reply(isData ? "354 go on" : "250 fine");
  };
  reply("220 mail.example");
  socket.on("data", (chunk) => {
    buffered += chunk.toString("utf8");
    for (;;) {
      const end = buffered.indexOf(isData ? "\r\n.\r\n" : "\r\n");
      if (end === -1) return;
      const part = buffered.slice(0, end);
      buffered = buffered.slice(end + (isData ? 5 : 2));
      if (!isData) take(part);
      else {
        server.taken.push({ to, source: part });
        [isData, to] = [false, []];
        reply("250 taken");
      }
    }
  });
}
