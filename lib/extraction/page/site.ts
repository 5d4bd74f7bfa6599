/**
 * What stands for the site of a host: its last two labels, three where the last two are as short as in `bbc.co.uk`. An
 * address in numbers is its own site.
 */
export function siteOf(host: string): string {
  const bare = host.toLowerCase().replace(/\.$/, "");
  if (/^[\d.]+$|^\[/.test(bare)) return bare;
  const labels = bare.split(".");
  const [second = "", top = ""] = labels.slice(-2);
  return labels.slice(second.length <= 3 && top.length === 2 ? -3 : -2).join(".");
}

/** True when both addresses are of one site; false when one of them is no address. */
export function sameSite(a: string, b: string): boolean {
  const [left, right] = [URL.parse(a), URL.parse(b)];
  return left !== null && right !== null && siteOf(left.hostname) === siteOf(right.hostname);
}
