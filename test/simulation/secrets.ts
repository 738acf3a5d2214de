/** Looks for tokens in everything that a program can see. */
import { inspect } from "node:util";

const options = { depth: 6, showHidden: false, breakLength: Infinity } as const;

/** The part of a token that no other text of a history contains. */
function core(token: string): string {
  return token.slice(-20);
}

export class SecretWatch {
  readonly #tokens: readonly string[];
  readonly #violate: (text: string) => void;

  constructor(tokens: readonly string[], violate: (text: string) => void) {
    this.#tokens = tokens;
    this.#violate = violate;
  }

  /** Checks a text. */
  text(place: string, text: string): void {
    if (this.#tokens.some((token) => text.includes(core(token)))) this.#violate(`${place} shows a token`);
  }

  /** Checks what `inspect` and `JSON.stringify` show of a value, and the parts of an error. */
  value(place: string, value: unknown): void {
    this.text(place, inspect(value, options));
    if (!(value instanceof Error)) return;
    this.text(place, `${value.message} ${value.stack ?? ""} ${JSON.stringify(value)}`);
    const { body } = value as { body?: unknown };
    if (body !== undefined) this.text(place, JSON.stringify(body));
  }
}
