import { isSendableSecret, type Redactor } from "../wire/secret.ts";
import { ConfigurationError } from "./errors.ts";

/** The argument of a token or key function. */
export interface CredentialContext {
  /** The token or key that the service rejected with 401; undefined if any may be returned. Do not return it again. */
  refused: string | undefined;
}

/**
 * A token or key, or a function that returns the current one. Each request calls the function, so it may return the
 * secret of the caller. Requests whose secret was rejected share the replacement of that secret.
 */
export type CredentialSource = string | ((context: CredentialContext) => string | Promise<string>);

/** Rejects a secret that is empty or cannot be sent in a header. The message never quotes it. */
export function checkSendable(name: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || !isSendableSecret(secret))
    throw new ConfigurationError(
      `the ${name} must be a string of visible ASCII characters without spaces or "Bearer"`,
    );
}

/** Returns the secrets of a client, and tells its redactor about each of them. */
export class Credential {
  /** The secret if it is constant; undefined if a function returns it. */
  readonly fixed: string | undefined;
  readonly #source: CredentialSource;
  readonly #check: (secret: string) => void;
  readonly #redactor: Redactor;
  /** The replacement that runs, or the last one: calls with the same rejected secret share it. */
  #replacement: { refused: string; secret: Promise<string> } | undefined;

  constructor(source: CredentialSource, check: (secret: string) => void, redactor: Redactor) {
    this.#source = source;
    this.#check = check;
    this.#redactor = redactor;
    this.fixed = typeof source === "function" ? undefined : source;
    if (typeof source === "function") return;
    check(source);
    redactor.add(source);
  }

  /** Returns the secret to send now. */
  get(): Promise<string> {
    return this.#ask(undefined);
  }

  /** Returns a replacement for a secret that was rejected with 401, or the same secret if there is no other. */
  replace(refused: string): Promise<string> {
    if (this.#replacement?.refused !== refused) this.#replacement = { refused, secret: this.#ask(refused) };
    return this.#replacement.secret;
  }

  async #ask(refused: string | undefined): Promise<string> {
    const secret = typeof this.#source === "function" ? await this.#source({ refused }) : this.#source;
    if (typeof secret === "string") this.#redactor.add(secret);
    this.#check(secret);
    // the refused secret is in use again: there was no other one, or it is over
    if (refused === undefined && this.#replacement?.refused === secret) this.#replacement = undefined;
    return secret;
  }
}
