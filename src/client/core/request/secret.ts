import { isSendableSecret } from "../../../wire/header-text.ts";
import { Redactor } from "../../../wire/redaction.ts";
import { ConfigurationError } from "../errors/errors.ts";
import { redactError, redactForeignError } from "./redact-error.ts";

/** The argument of a token or key function. */
export interface SecretContext {
  /** The token or key that the service rejected with 401; undefined if any may be returned. Do not return it again. */
  refused: string | undefined;
}

/**
 * A token or key, or a function that returns the current one. Each request calls the function, so it may return the secret
 * of the caller. Requests whose secret was rejected share the replacement of that secret.
 */
export type SecretSource = string | ((context: SecretContext) => string | Promise<string>);

/** Throws if the value cannot be sent. The message never quotes it. */
export type SecretCheck = (secret: string) => void;

/** Rejects a secret that is empty or cannot be sent in a header. */
export function checkSendable(name: string, secret: unknown): asserts secret is string {
  if (typeof secret !== "string" || secret === "")
    throw new ConfigurationError(`the ${name} must be a non-empty string`);
  if (!isSendableSecret(secret)) {
    throw new ConfigurationError(`the ${name} must be visible ASCII characters without spaces or "Bearer"`);
  }
}

/** The run of a token function for the replacement of a rejected secret. */
interface Replacement {
  refused: string;
  secret: Promise<string>;
  /** The number of calls that wait for it; undefined when it has returned. */
  waiting: number | undefined;
}

/** Holds the token or key of a client. `redactor` redacts every secret that was ever sent with it. */
export class Secret {
  readonly redactor: Redactor;
  /** The secret if it is constant; undefined if a function returns it. */
  readonly fixed: string | undefined;
  readonly #source: SecretSource;
  readonly #check: SecretCheck;
  /** The last replacement, which all calls with the same rejected secret share. */
  #last: Replacement | undefined;

  constructor(source: SecretSource, check: SecretCheck, redactor = new Redactor()) {
    this.redactor = redactor;
    this.#source = source;
    this.#check = check;
    this.fixed = typeof source === "function" ? undefined : source;
    if (typeof source === "function") return;
    check(source);
    this.redactor.keep(source);
  }

  /** Returns the secret to send now. No two calls share it: they may have different callers. */
  async get(): Promise<string> {
    const secret = await this.#run(undefined);
    const last = this.#last;
    if (last?.refused === secret && last.waiting === undefined) this.#last = undefined; // it is in use again
    return secret;
  }

  /**
   * Returns a replacement for a rejected secret, or the same secret if there is no other. `signal` ends the wait of this
   * call, but not the function that other calls wait for.
   */
  async replace(refused: string, signal: AbortSignal): Promise<string> {
    const run = this.#last?.refused === refused ? this.#last : this.#start(refused);
    if (run.waiting === undefined) return run.secret;
    run.waiting += 1;
    signal.addEventListener("abort", () => {
      if (run.waiting !== undefined) run.waiting -= 1;
      // a function that never settles must not block later calls
      if (run.waiting === 0) this.#forget(run);
    });
    return run.secret;
  }

  #start(refused: string): Replacement {
    const run: Replacement = { refused, secret: this.#run(refused), waiting: 0 };
    this.#last = run;
    const forget = (): void => this.#forget(run);
    run.secret.then((fresh) => {
      run.waiting = undefined;
      if (fresh === refused) forget();
    }, forget);
    return run;
  }

  #forget(run: Replacement): void {
    if (this.#last === run) this.#last = undefined;
  }

  /** Calls the function. An error that quotes a secret is replaced by a copy without it. */
  async #run(refused: string | undefined): Promise<string> {
    const source = this.#source;
    if (typeof source === "string") return source;
    let secret: string;
    try {
      secret = await source({ refused });
    } catch (error) {
      throw redactForeignError(error, this.redactor);
    }
    if (typeof secret === "string") this.redactor.add(secret);
    try {
      this.#check(secret);
    } catch (error) {
      throw redactError(error, this.redactor); // the message quotes the prefix of a key, which may be the whole key
    }
    return secret;
  }
}
