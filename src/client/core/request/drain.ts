/** Counts the calls of a client, and ends their waits when the client is drained. */
export class Drain {
  /** Whether no further request is sent. */
  isDraining = false;
  #calls = 0;
  #finish: (() => void) | undefined;
  #done: Promise<void> | undefined;
  readonly #controller = new AbortController();

  /** Aborted when the client is drained, with the error of calls that must not send a request any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Counts the start of a call. */
  enter(): void {
    if (this.isDraining) throw this.signal.reason as Error; // an `AbortError`, see below
    this.#calls += 1;
  }

  /** Counts the end of a call. */
  leave(): void {
    this.#calls -= 1;
    if (this.#calls === 0) this.#finish?.();
  }

  /** Ends the waits of all calls. Resolves when every call has settled. */
  drain(): Promise<void> {
    this.isDraining = true;
    this.#controller.abort(
      new DOMException("The client is drained: it sends no further request", "AbortError"),
    );
    this.#done ??= new Promise((resolve) => {
      this.#finish = resolve;
      if (this.#calls === 0) resolve();
    });
    return this.#done;
  }
}
