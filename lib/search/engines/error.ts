/**
 * Why an engine of another process did not do what it was asked: it cannot be reached, is overloaded, full or read-only
 * (`away`: the same may work later), an index is not there (`missing`), it refuses this user (`denied`), or it refuses
 * this request whoever asks (`rejected`).
 */
export type EngineFault = "away" | "missing" | "denied" | "rejected";

/** An engine of another process did not do what it was asked. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly reason: EngineFault;

  constructor(reason: EngineFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A setting names an engine, or an index in it, that cannot be used; the message begins with the setting's name. */
export class EngineSettingError extends Error {
  override readonly name = "EngineSettingError";
}
