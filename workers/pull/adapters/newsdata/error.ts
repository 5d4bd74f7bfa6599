import { PullError } from "../../adapter.ts";

/** newsdata.io refused a request, or answered with something that is not of its documentation. */
export class NewsdataError extends PullError {
  override name = "NewsdataError";
  /** HTTP status. */
  readonly status: number;
  /**
   * The service's own code, for instance `Unauthorized`, `RateLimitExceeded`, `UnsupportedParameter`; "" when it gave
   * none.
   */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(`newsdata.io answers ${status}${code === "" ? "" : ` ${code}`}${detail === "" ? "" : `: ${detail}`}`);
    this.status = status;
    this.code = code;
  }
}
