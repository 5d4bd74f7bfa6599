/** Lets many runs through side by side, or one that must have the process to itself. */
export class Gate {
  #shared = 0;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  /** Runs `work` beside others, but not beside exclusive work. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isClosed) await this.#change();
    this.#shared++;
    try {
      return await work();
    } finally {
      this.#shared--;
      this.#wake();
    }
  }

  /** Runs `work` once all others have ended; those that come meanwhile wait. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#isClosed) await this.#change();
    this.#isClosed = true;
    try {
      while (this.#shared > 0) await this.#change();
      return await work();
    } finally {
      this.#isClosed = false;
      this.#wake();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
