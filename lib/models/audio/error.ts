/** Why bytes give no sound. */
export type AudioErrorCode =
  /** They are no recording, or one that holds nothing. */
  | "no-audio"
  /** They begin as a recording does and go on otherwise. */
  | "damaged"
  /** A recording that nothing here reads. */
  | "unsupported"
  /** It goes on for longer than is read. */
  | "too-long";

/** Bytes that cannot be listened to; the message is made for who sent them. */
export class AudioError extends Error {
  override readonly name = "AudioError";
  readonly code: AudioErrorCode;

  constructor(code: AudioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
