import { ConfigurationError } from "./errors.ts";

/** A token or key, or a function that gives the one to use now. */
export type SecretSource = string | (() => string | Promise<string>);

/** Throws unless the text can be sent; the message never quotes it. */
export type SecretCheck = (secret: string) => void;

const sendable = /^[\x21-\x7e]+$/;

/** Refuses what is empty or could not stand in a header. */
export function checkSendable(what: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || secret === "")
    throw new ConfigurationError(`the ${what} is empty or not a string`);
  if (!sendable.test(secret)) {
    throw new ConfigurationError(
      `the ${what} has blanks, line breaks or characters beyond ASCII: it cannot be sent in a header`,
    );
  }
}

/** Holds the secret; one line of the transport asks for it. */
export class Secret {
  readonly #source: SecretSource;
  readonly #check: SecretCheck;

  constructor(source: SecretSource, check: SecretCheck) {
    this.#source = source;
    this.#check = check;
    if (typeof source !== "function") check(source);
  }

  /** The secret that is always the same; undefined where a function gives it. */
  get fixed(): string | undefined {
    return typeof this.#source === "string" ? this.#source : undefined;
  }

  /** The secret to use now. */
  async reveal(): Promise<string> {
    if (typeof this.#source === "string") return this.#source;
    const secret = await this.#source();
    this.#check(secret);
    return secret;
  }
}

/** The beginning of an answer. The secret is taken out first, so that no cut leaves half of it. */
export function snippet(text: string, clean: (text: string) => string): string {
  return clean(text).slice(0, 1024);
}
