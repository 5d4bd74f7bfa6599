import { isIP } from "node:net";
import { isPublicAddress, readAllowList } from "./address.ts";

/** This machine's own addresses, which webhooks of clients may go to on a developer's machine. */
const LOOPBACK = "127.0.0.0/8 ::1/128 localhost";

/**
 * Returns the private hosts that a webhook which a client names may lead to, as {@link readAllowList} takes them: those
 * that the operator lists, with `APP_ENV=local` this machine, too.
 */
export function hostsForHooks({ appEnv, allowPrivateHosts }: { appEnv: string; allowPrivateHosts: string }): string {
  return appEnv === "local" ? `${allowPrivateHosts} ${LOOPBACK}` : allowPrivateHosts;
}

/**
 * Returns why a webhook may not go to an address, in words; undefined where its host is a name, which is looked up when
 * something is sent, or may be reached.
 */
export function refusedHook(address: string, allowed: string): string | undefined {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const allow = readAllowList(allowed);
  const isPrivate = isIP(host) === 0 ? host === "localhost" || host.endsWith(".localhost") : !isPublicAddress(host);
  if (!isPrivate || allow.allowsHost(host, port) || (isIP(host) !== 0 && allow.allowsAddress(host, port)))
    return undefined;
  return "must lead to a public address, or to one of OUTBOX_ALLOW_PRIVATE_HOSTS";
}
