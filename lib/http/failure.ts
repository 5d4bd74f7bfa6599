/** One line that tells an operator what is wrong and what to do about it. */
export function explainFailure(error: unknown): string {
  for (let at: unknown = error; at !== undefined && at !== null; at = causeOf(at)) {
    const known = knownFailure(at);
    if (known !== undefined) return known;
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replace(/\s+/g, " ").trim();
}

function knownFailure(error: unknown): string | undefined {
  const { code, path, port, message } = fieldsOf(error);
  switch (code) {
    case "EADDRINUSE":
      return `port ${port ?? portIn(message)} is in use: stop the other process or choose another port`;
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return path === undefined ? undefined : `${path} cannot be written: check DATA_DIR and its permissions`;
    case "ENOSPC":
    case "EDQUOT":
    case "53100":
      return `the disk is full${path === undefined ? "" : ` (${path})`}: free space and start again`;
    default:
      return undefined;
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function fieldsOf(error: unknown): { code?: unknown; path?: string; port?: number; message: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    ...("code" in error && { code: error.code }),
    ...("path" in error && typeof error.path === "string" && { path: error.path }),
    ...("port" in error && typeof error.port === "number" && { port: error.port }),
  };
}

function portIn(message: string): string {
  return /\b(?:port |:)(\d{1,5})\b/.exec(message)?.[1] ?? "of the service";
}
