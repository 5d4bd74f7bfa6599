/**
 * The host and port of an address that the operator has set, as an entry of a list of private hosts that may be
 * reached: it may be one.
 */
export function hostWithPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
