import { escapeLine } from "../wire/foreign-text.ts";
import type { Target } from "./service.ts";

/** The output of a process. */
export type Streams = Readonly<
  Record<"stdout" | "stderr", { write(text: string): unknown; isTTY?: boolean }>
>;

/** Writes lines without secrets and control characters, and a progress line on a terminal. */
export class Output {
  readonly #streams: Streams;
  readonly #secrets: RegExp;

  constructor(streams: Streams, targets: readonly Target[]) {
    this.#streams = streams;
    const forms = targets.flatMap(({ secret }) => [secret, encodeURIComponent(secret), btoa(secret)]);
    // the longest first, because one may contain another; a short one only as a word
    const patterns = forms.toSorted((a, b) => b.length - a.length).map((form) => form.replace(/\W/g, "\\$&"));
    this.#secrets = new RegExp(patterns.map((one) => (one.length < 8 ? `\\b${one}\\b` : one)).join("|"), "g");
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
    return escapeLine(text.replace(this.#secrets, "[secret]"));
  }
}
