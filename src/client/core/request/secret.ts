import { isSendableSecret } from "../../../wire/header-text.ts";
import { Redactor } from "../../../wire/redaction.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { redactError, redactForeignError } from "./redact-error.ts";

/** The argument of a token or key function. */
export interface SecretContext {
  /** The token or key that the service rejected with 401; undefined if any may be returned. Do not return it again. */
  refused: string | undefined;
}

/** A token or key, or a function that returns the current one. Calls that wait at the same time share one result. */
export type SecretSource = string | ((context: SecretContext) => string | Promise<string>);

/** Throws if the value cannot be sent. The message never quotes it. */
export type SecretCheck = (secret: string) => void;

/** Rejects a secret that is empty or cannot be sent in a header. */
export function checkSendable(name: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || secret === "")
    throw new ConfigurationError(`the ${name} must be a non-empty string`);
  if (!isSendableSecret(secret)) {
    throw new ConfigurationError(
      `the ${name} must consist of visible ASCII characters, because it is sent in a header`,
    );
  }
}

/** One run of a token function and the number of calls that wait for it. */
interface Pending {
  secret: Promise<string>;
  waiting: number;
}

/** Holds the token or key of a client. `redactor` redacts every secret that was ever sent with it. */
export class Secret {
  readonly redactor: Redactor;
  /** The secret if it is constant; undefined if a function returns it. */
  readonly fixed: string | undefined;
  readonly #source: SecretSource;
  readonly #check: SecretCheck;
  /** Runs of the function by the rejected secret: calls that wait for the same replacement share one run. */
  readonly #pending = new Map<string | undefined, Pending>();
  #latest: string | undefined;

  constructor(source: SecretSource, check: SecretCheck, redactor = new Redactor()) {
    this.redactor = redactor;
    this.#source = source;
    this.#check = check;
    this.fixed = typeof source === "function" ? undefined : source;
    if (typeof source === "function") return;
    check(source);
    this.redactor.keep(source);
  }

  /**
   * Returns the secret to send now. `signal` ends the wait of this call, but not the function that other calls wait
   * for.
   */
  get(signal: AbortSignal): Promise<string> {
    return this.#obtain(undefined, signal);
  }

  /** Returns a replacement for a rejected secret, or the same secret if there is no other. */
  async replace(refused: string, signal: AbortSignal): Promise<string> {
    const latest = this.#latest ?? refused;
    if (latest !== refused) return latest; // another rejected call has already replaced it
    return this.#obtain(refused, signal);
  }

  #obtain(refused: string | undefined, signal: AbortSignal): Promise<string> {
    const pending = this.#pending.get(refused) ?? this.#start(refused);
    pending.waiting += 1;
    const leave = (): void => {
      pending.waiting -= 1;
      // a function that never settles must not block later calls
      if (pending.waiting === 0) this.#forget(refused, pending);
    };
    signal.addEventListener("abort", leave);
    return pending.secret;
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
    const secret = await this.#call(refused);
    if (typeof secret === "string") this.redactor.add(secret);
    try {
      this.#check(secret);
    } catch (error) {
      throw redactError(error, this.redactor); // the message quotes the prefix of a key, which may be the whole key
    }
    this.#latest = secret;
    return secret;
  }

  /** Calls the function. An error that quotes a secret is replaced by a copy without it. */
  async #call(refused: string | undefined): Promise<string> {
    const source = this.#source;
    if (typeof source === "string") return source;
    try {
      return await source({ refused });
    } catch (error) {
      throw redactForeignError(error, this.redactor);
    }
  }
}
