import { AppError, createMiddleware, type HttpEnv } from "@isnad/lib/service/http";

/** Refuses a contract version other than 1. */
export const contractVersion = createMiddleware<HttpEnv>(async function checkContractVersion(c, next) {
  const version = c.req.header("x-contract-version");
  if (version !== undefined && version.trim() !== "1") {
    throw new AppError("unsupported-contract-version", "X-Contract-Version must be 1.");
  }
  await next();
});
