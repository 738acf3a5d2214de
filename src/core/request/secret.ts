import { Redactor } from "../../internal/redaction.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { redactError } from "./redact-error.ts";

/** What a token or key function receives. */
export interface SecretContext {
  /** The token or key that the service refused with 401; undefined when any is asked for. Do not return this one again. */
  refused: string | undefined;
}

/** A token or key, or a function that returns the one to use now. Calls that wait at the same time share one result. */
export type SecretSource = string | ((context: SecretContext) => string | Promise<string>);

/** Throws unless the text can be sent; the message never quotes it. */
export type SecretCheck = (secret: string) => void;

const sendable = /^[\x21-\x7e]+$/;

/** Rejects a secret that is empty or cannot be sent in a header. */
export function checkSendable(what: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || secret === "")
    throw new ConfigurationError(`the ${what} is empty or not a string`);
  if (!sendable.test(secret)) {
    throw new ConfigurationError(
      `the ${what} has blanks, line breaks or characters beyond ASCII: it cannot be sent in a header`,
    );
  }
}

/** One run of a token function, and how many calls wait for it. */
interface Pending {
  secret: Promise<string>;
  waiting: number;
}

/** Holds the token or key of a client. Everything that was ever sent with it is redacted by its `redactor`. */
export class Secret {
  readonly redactor = new Redactor();
  /** The secret if it never changes; undefined if a function returns it. */
  readonly fixed: string | undefined;
  readonly #source: SecretSource;
  readonly #check: SecretCheck;
  /** By the secret that was refused; the function runs once for all calls that wait for the same. */
  readonly #pending = new Map<string | undefined, Pending>();
  #latest: string | undefined;

  constructor(source: SecretSource, check: SecretCheck) {
    this.#source = source;
    this.#check = check;
    this.fixed = typeof source === "function" ? undefined : source;
    if (typeof source === "function") return;
    if (typeof source === "string") this.redactor.add(source); // before a message could quote it
    check(source);
  }

  /** The secret to send now. `signal` ends the wait of this call, not the function that others wait for. */
  get(signal: AbortSignal): Promise<string> {
    return this.#ask(undefined, signal);
  }

  /** A secret to send in place of one that was refused; the same one if there is no other. */
  async replace(refused: string, signal: AbortSignal): Promise<string> {
    if (this.fixed !== undefined) return refused;
    // another call that was refused has replaced it already
    if (this.#latest !== undefined && this.#latest !== refused) return this.#latest;
    return this.#ask(refused, signal);
  }

  #ask(refused: string | undefined, signal: AbortSignal): Promise<string> {
    const pending = this.#pending.get(refused) ?? this.#start(refused);
    pending.waiting += 1;
    const leave = (): void => {
      pending.waiting -= 1;
      // a function that never returns must not hold up the calls that come later
      if (pending.waiting === 0) this.#forget(refused, pending);
    };
    signal.addEventListener("abort", leave, { once: true });
    return pending.secret.finally(() => signal.removeEventListener("abort", leave));
  }

  #start(refused: string | undefined): Pending {
    const pending: Pending = { secret: this.#run(refused), waiting: 0 };
    this.#pending.set(refused, pending);
    const forget = (): void => this.#forget(refused, pending);
    pending.secret.then(forget, forget);
    return pending;
  }

  #forget(refused: string | undefined, pending: Pending): void {
    if (this.#pending.get(refused) === pending) this.#pending.delete(refused);
  }

  async #run(refused: string | undefined): Promise<string> {
    const source = this.#source;
    const secret = typeof source === "function" ? await source({ refused }) : source;
    if (typeof secret === "string") this.redactor.add(secret);
    try {
      this.#check(secret);
    } catch (error) {
      throw redactError(error, this.redactor); // the prefix of a key that it quotes may be the key
    }
    this.#latest = secret;
    return secret;
  }
}
