const PAGE = 65_536;
const MAX_PAGES = 65_536;

/** WebAssembly memory that grows in place, up to 4 GiB; views of it are taken anew after {@link RowMemory.reserve}. */
export class RowMemory {
  readonly memory: WebAssembly.Memory;

  constructor(length: number) {
    this.memory = new WebAssembly.Memory({ initial: Math.ceil(length / PAGE), maximum: MAX_PAGES });
  }

  /** Bytes there are. */
  get length(): number {
    return this.memory.buffer.byteLength;
  }

  /** Makes room for `length` bytes, with some to spare. Throws {@link RangeError} when there is no more memory. */
  reserve(length: number): void {
    if (length <= this.length) return;
    const pages = this.length / PAGE;
    const ample = Math.min(MAX_PAGES, Math.ceil(pages * 1.25));
    this.memory.grow(Math.max(Math.ceil(length / PAGE), ample) - pages);
  }
}
