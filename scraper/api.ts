/** Rejects unless the central API at `baseUrl` answers that it lives. */
export async function pingApi(baseUrl: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${baseUrl}/livez`, { signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the API answers ${response.status}`);
}
