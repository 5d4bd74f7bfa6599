/**
 * The value of a metric of the service at `url`, -1 while it does not answer or has none of that name; labels are part
 * of the name.
 */
export async function gauge(url: string, name: string): Promise<number> {
  try {
    const response = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) });
    const line = (await response.text()).split("\n").find((each) => each.startsWith(`${name} `));
    return line === undefined ? -1 : Number(line.slice(name.length + 1));
  } catch (error) {
    if (error instanceof Error) return -1;
    throw error;
  }
}
