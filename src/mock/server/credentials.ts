import * as z from "zod/mini";
import { scopes as everyScope } from "../../../generated/fleet.operations.ts";
import type { Scope } from "../../../generated/fleet.ts";
import { omitUndefined } from "../../wire/names.ts";
import { parseKey } from "../../wire/secret.ts";
import type { Call } from "./call.ts";
import { Refusal } from "./exchange.ts";
import { type Clock, instantSchema, parseInstant } from "./clock.ts";
import type { FleetKey, FleetKeySeed } from "../fleet/data.ts";
import type { StoreToken } from "../store/data.ts";
import { tokenSchema } from "./options.ts";
import { Random } from "./random.ts";
import { parse } from "./schemas.ts";
import type { Secrets } from "./secrets.ts";

/** The form of a key, for messages. gap keys.hex-case */
export const KEY_FORM = "<prefix>_ or <prefix>_test_ followed by 64 hexadecimal digits";

/** Returns the environment of a string that has the form of a key. */
export function environmentOf(key: string): "production" | "sandbox" | undefined {
  return parseKey(key)?.environment;
}

const keySchema = z.strictObject({
  key: z
    .string()
    .check(z.refine((key) => environmentOf(key) !== undefined, `must have the form ${KEY_FORM}`)),
  scopes: z.optional(
    z.array(z.enum(everyScope, { error: `must be one of ${everyScope.join(", ")}` })), // gap keys.unknown-scopes
  ),
  expiresAt: z.optional(instantSchema),
});

function fleetKey({ key, scopes = everyScope, expiresAt }: FleetKeySeed): FleetKey {
  return { key, scopes: [...scopes], ...omitUndefined({ expiresAt }) };
}

/** Returns the given keys, or a production key and a sandbox key with every scope. */
export function initialKeys(seed: number, given: unknown): FleetKey[] {
  if (given === undefined)
    return [
      { key: `ref_${hex(new Random(seed, "key", "production"))}`, scopes: everyScope },
      { key: `ref_test_${hex(new Random(seed, "key", "sandbox"))}`, scopes: everyScope },
    ];
  const keys = parse(z.array(keySchema), given, "fleet.keys").map(fleetKey);
  const repeated = keys.findIndex(({ key }, index) => keys.findIndex((other) => other.key === key) < index);
  if (repeated !== -1) throw new Error(`fleet.keys[${repeated}].key: the same key was given twice`);
  return keys;
}

function hex(random: Random): string {
  return Array.from({ length: 8 }, () => random.bits().toString(16).padStart(8, "0")).join("");
}

/** A token or key without its secret. */
export interface CredentialInfo {
  /** `token-1`, `key-1`, `key-2`, … in the order of their creation. */
  id: string;
  api: "store" | "fleet";
  /** Only for a key. */
  environment?: "production" | "sandbox";
  /** Only for a key. */
  scopes?: Scope[];
  /** ISO 8601. */
  expiresAt?: string;
  /** Whether it has expired, by the server's clock. */
  status: "active" | "expired";
}

/** A token to add to the store API. */
export interface NewToken {
  /** Default: a random value. */
  token?: string | undefined;
  /** ISO 8601; the token is rejected from then on, by the server's clock. */
  expiresAt?: string | undefined;
}

/** A key to add to the fleet API. Default: a random key of production with every scope. */
export interface NewKey extends Partial<FleetKeySeed> {}

const newTokenSchema = z.strictObject({
  token: z.optional(tokenSchema),
  expiresAt: z.optional(instantSchema),
});

const newKeySchema = z.partial(keySchema);

/** The tokens and keys of a server. `reset()` undoes every change. */
export class Credentials {
  /** @internal The tokens by their secrets. */
  readonly tokens = new Map<string, StoreToken>();
  /** @internal The keys by their secrets. */
  readonly keyring = new Map<string, FleetKey>();
  readonly #initial: { readonly token: string; readonly keys: readonly FleetKey[] };
  readonly #clock: Clock;
  readonly #secrets: Secrets;

  /** @internal */
  constructor(initial: { token: string; keys: readonly FleetKey[] }, clock: Clock, secrets: Secrets) {
    this.#initial = initial;
    this.#clock = clock;
    this.#secrets = secrets;
  }

  /** @internal Returns to the initial token and keys. */
  reset(): void {
    const { token, keys } = this.#initial;
    this.tokens.clear();
    this.keyring.clear();
    this.#add({ token });
    for (const key of keys) this.#add({ ...key, scopes: [...key.scopes] });
  }

  /** Returns all tokens and keys without their secrets. */
  list(): CredentialInfo[] {
    return this.#entries().map(({ id, credential }) => this.#describe(id, credential));
  }

  /** Adds a token, which is valid beside the others, and returns its ID and secret. */
  addToken(options: NewToken = {}): { id: string; token: string } {
    const { token = `ref-token-${randomHex(24)}`, expiresAt } = parse(newTokenSchema, options, "token");
    this.#add({ token, ...omitUndefined({ expiresAt }) });
    return { id: `token-${this.tokens.size}`, token };
  }

  /** Adds a key, which is valid beside the others, and returns its ID and secret. */
  addKey(options: NewKey = {}): { id: string; key: string } {
    const { key = `ref_${randomHex(32)}`, ...others } = parse(newKeySchema, options, "key");
    this.#add(fleetKey({ key, ...others }));
    return { id: `key-${this.keyring.size}`, key };
  }

  /**
   * Lets a token or key, given by its ID or its secret, expire by the server's clock: now, or at a time, ISO 8601. Requests
   * with it get 401 from then on.
   */
  expire(credential: string, at: string = this.#clock.now().toISOString()): CredentialInfo {
    parse(instantSchema, at, "at");
    const entry = this.#find(credential);
    entry.credential.expiresAt = at;
    return this.#describe(entry.id, entry.credential);
  }

  #entries(): { id: string; secret: string; credential: StoreToken | FleetKey }[] {
    return [...withIds("token", this.tokens), ...withIds("key", this.keyring)];
  }

  #find(name: string): { id: string; credential: StoreToken | FleetKey } {
    const entries = this.#entries();
    const found = entries.find(({ id, secret }) => id === name || secret === name);
    if (found !== undefined) return found;
    // the name may be a secret, so it is not quoted
    throw new Error(`No token or key has this ID. Expected one of ${entries.map(({ id }) => id).join(", ")}`);
  }

  #describe(id: string, credential: StoreToken | FleetKey): CredentialInfo {
    const { expiresAt } = credential;
    const status = isExpired(credential, this.#clock) ? "expired" : "active";
    const validity = { ...omitUndefined({ expiresAt }), status } as const;
    if ("token" in credential) return { id, api: "store", ...validity };
    const environment = environmentOf(credential.key) ?? "production"; // a key has one
    return { id, api: "fleet", environment, scopes: [...credential.scopes], ...validity };
  }

  /** Adds a token or key, which is redacted from then on. Throws if the server has it. */
  #add(credential: StoreToken | FleetKey): void {
    const secret = "token" in credential ? credential.token : credential.key;
    if (this.tokens.has(secret) || this.keyring.has(secret))
      throw new Error("This server already has this token or key");
    this.#secrets.add(secret);
    if ("token" in credential) this.tokens.set(secret, credential);
    else this.keyring.set(secret, credential);
  }
}

function withIds(name: string, credentials: ReadonlyMap<string, StoreToken | FleetKey>) {
  const entries = Array.from(credentials, ([secret, credential]) => ({ secret, credential }));
  return entries.map((entry, index) => ({ id: `${name}-${index + 1}`, ...entry }));
}

/** Whether a token or key has expired at the time of the server's clock. */
function isExpired({ expiresAt }: StoreToken | FleetKey, clock: Clock): boolean {
  return expiresAt !== undefined && parseInstant(expiresAt) <= clock.ms();
}

/** How a test gets a credential that the server accepts. */
const REMEDIES = {
  token: "Send ref.token, or give the server this one with store.token or --token",
  key: "Send ref.key, or give the server this one with fleet.keys or --key",
} as const;

/**
 * Returns the token or key of a request. Throws a 401 that says what is wrong; `faultOf` returns what is wrong with the form
 * of a secret.
 */
export function requireCredential<Credential extends StoreToken | FleetKey>(
  { server, request }: Call,
  noun: "token" | "key",
  known: ReadonlyMap<string, Credential>,
  faultOf: (secret: string) => string | undefined = () => undefined,
): Credential {
  const refuse = (problem: string): never => {
    const message = `The ${noun === "key" ? "API key" : noun} is ${problem}`;
    throw new Refusal(401, { message, issues: [{ path: "authorization", message }] });
  };
  const secret = bearerToken(request.headers?.authorization);
  if (secret === undefined) return refuse(`missing: expected the header Authorization: Bearer <${noun}>`);
  const fault = faultOf(secret);
  if (fault !== undefined) return refuse(`invalid: ${fault}`);
  const credential = known.get(secret);
  if (credential === undefined) return refuse(`invalid: this server has no such ${noun}. ${REMEDIES[noun]}`);
  return isExpired(credential, server.clock) ? refuse("invalid: it has expired") : credential;
}

/** Secrets that are added at run time are not derived from the seed, so nobody can guess them. */
function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Returns the bearer token of an `Authorization` header. */
export function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined || !/^bearer /i.test(authorization)) return undefined;
  const token = authorization.slice("bearer ".length).trim();
  return token === "" || /\s/.test(token) ? undefined : token;
}
