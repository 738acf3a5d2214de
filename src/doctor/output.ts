import { escapeLine } from "../wire/message.ts";
import type { Target } from "./service.ts";

/** The output of a process. */
export type Streams = Readonly<
  Record<"stdout" | "stderr", { write(text: string): unknown; isTTY?: boolean }>
>;

/** Writes lines without secrets and control characters, and a progress line on a terminal. */
export class Output {
  readonly #streams: Streams;
  readonly #secrets: readonly string[];

  constructor(streams: Streams, targets: readonly Target[]) {
    this.#streams = streams;
    const secrets = targets.map(({ secret }) => secret).filter((secret) => !isOrdinaryWord(secret));
    const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), btoa(secret)]);
    // the longest first, because one may contain another
    this.#secrets = forms.toSorted((a, b) => b.length - a.length);
  }

  /** Prints text; its line breaks are kept. */
  line(text: string): void {
    this.progress("");
    for (const line of text.split("\n")) this.#streams.stdout.write(`${this.#clean(line)}\n`);
  }

  /** Replaces the progress line. */
  progress(text: string): void {
    if (this.#streams.stderr.isTTY === true)
      this.#streams.stderr.write(`\r\u001B[K${this.#clean(text).slice(0, 78)}`);
  }

  #clean(text: string): string {
    const cleaned = this.#secrets.reduce((line, secret) => line.replaceAll(secret, "[redacted]"), text);
    return escapeLine(cleaned);
  }
}

/**
 * Whether a secret of a test service is a word that sentences contain, such as `token`. It is removed from what the service
 * says (`Service.redact`), and not from the sentences of doctor.
 */
function isOrdinaryWord(secret: string): boolean {
  return secret.length < 8 || /^[a-z]{1,15}$/i.test(secret);
}
