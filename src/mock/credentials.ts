import type { Scope } from "../../generated/fleet.ts";
import { scopes as everyScope } from "../../generated/fleet.operations.ts";
import { type FleetKey, keyForm } from "./apis/fleet/keys.ts";
import type { FleetKeySeed } from "./apis/fleet/options.ts";
import { validateKey } from "./apis/fleet/seed/keys.ts";
import type { StoreToken } from "./apis/store/data.ts";
import { parseInstant } from "../wire/instants.ts";
import type { Server } from "./server/server.ts";
import { assertHeaderText } from "./options.ts";
import { checkNames } from "./testing/checks.ts";
import type { ServerState } from "./server-state.ts";

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
  status: "active" | "expired" | "revoked";
}

/** A token to add to the store API. */
export interface NewToken {
  /** Default: a random value. */
  token?: string;
  /** ISO 8601; the token is rejected from then on, by the server's clock. */
  expiresAt?: string;
}

/** A key to add to the fleet API. */
export interface NewKey {
  /** Default: a random key of `environment`. */
  key?: string;
  /** The environment of a random key. Default: production. */
  environment?: "production" | "sandbox";
  /** Default: every scope. */
  scopes?: Scope[];
  /** ISO 8601; the key is rejected from then on, by the server's clock. */
  expiresAt?: string;
}

/** The tokens and keys of a server. `reset()` undoes every change. */
export class Credentials {
  readonly #server: Server<ServerState>;

  /** @internal */
  constructor(server: Server<ServerState>) {
    this.#server = server;
  }

  /** Returns all tokens and keys without their secrets. */
  list(): CredentialInfo[] {
    return this.#entries().map(({ id, credential }) => this.#info(id, credential));
  }

  /** Adds a token, which is valid beside the others, and returns its ID and secret. */
  addToken(options: NewToken = {}): {
    id: string;
    token: string;
  } {
    checkNames("addToken", options, ["token", "expiresAt"]);
    const { token = `ref-token-${randomHex(24)}`, expiresAt } = options;
    assertHeaderText("token", token);
    assertExpiry("token.expiresAt", expiresAt);
    this.#claim("token", token);
    const { tokens } = this.#server.state;
    tokens.set(token, { token, ...(expiresAt !== undefined && { expiresAt }) });
    return { id: `token-${tokens.size}`, token };
  }

  /** Adds a key, which is valid beside the others, and returns its ID and secret. */
  addKey(options: NewKey = {}): {
    id: string;
    key: string;
  } {
    checkNames("addKey", options, ["key", "environment", "scopes", "expiresAt"]);
    const { key, environment, scopes = [...everyScope], expiresAt } = options;
    if (key !== undefined && environment !== undefined)
      throw new Error("key.environment cannot be given together with key.key, whose prefix determines it");
    if (environment !== undefined && environment !== "production" && environment !== "sandbox")
      throw new Error("key.environment must be production or sandbox");
    const text = key ?? `ref_${environment === "sandbox" ? "test_" : ""}${randomHex(32)}`;
    const seed: FleetKeySeed = { key: text, scopes, ...(expiresAt !== undefined && { expiresAt }) };
    const added = validateKey(seed, "key", this.#server.readings);
    this.#claim("key", text);
    const { keys } = this.#server.state;
    keys.set(text, added);
    return { id: `key-${keys.size}`, key: text };
  }

  /** Revokes a token or key, given by its ID or its secret: requests with it get 401. */
  revoke(credential: string): CredentialInfo {
    const entry = this.#find(credential);
    entry.credential.revoked = true;
    return this.#info(entry.id, entry.credential);
  }

  /** Lets a token or key expire, by the server's clock: now, or at a time, ISO 8601. */
  expire(credential: string, at: string = this.#server.clock.now().toISOString()): CredentialInfo {
    assertExpiry("at", at);
    const entry = this.#find(credential);
    entry.credential.expiresAt = at;
    return this.#info(entry.id, entry.credential);
  }

  #entries(): Entry[] {
    const { tokens, keys } = this.#server.state;
    return [
      ...[...tokens.values()].map((credential, index) => ({
        id: `token-${index + 1}`,
        secret: credential.token,
        credential,
      })),
      ...[...keys.values()].map((credential, index) => ({
        id: `key-${index + 1}`,
        secret: credential.key,
        credential,
      })),
    ];
  }

  #find(name: string): Entry {
    const entries = this.#entries();
    const found = entries.find(({ id, secret }) => id === name || secret === name);
    if (found !== undefined) return found;
    // the name may be a secret, so it is not quoted
    throw new Error(`No token or key has this ID. Expected one of ${entries.map(({ id }) => id).join(", ")}`);
  }

  #info(id: string, credential: StoreToken | FleetKey): CredentialInfo {
    const { expiresAt } = credential;
    const validity = { ...(expiresAt !== undefined && { expiresAt }), status: this.#statusOf(credential) };
    if ("token" in credential) return { id, api: "store", ...validity };
    const environment = keyForm(credential.key, this.#server.readings);
    const scopes = [...credential.scopes];
    return { id, api: "fleet", ...(environment && { environment }), scopes, ...validity };
  }

  #statusOf({ expiresAt, revoked }: StoreToken | FleetKey): CredentialInfo["status"] {
    if (revoked === true) return "revoked";
    return expiresAt !== undefined && parseInstant(expiresAt) <= this.#server.clock.ms()
      ? "expired"
      : "active";
  }

  /** Throws for a secret that the server has; redacts any other one from then on. */
  #claim(name: string, secret: string): void {
    const { tokens, keys } = this.#server.state;
    if (tokens.has(secret) || keys.has(secret))
      throw new Error(`${name}: this server already has this token or key`);
    this.#server.addSecret(secret);
  }
}

interface Entry {
  readonly id: string;
  readonly secret: string;
  readonly credential: StoreToken | FleetKey;
}

function assertExpiry(name: string, time: string | undefined): void {
  if (time === undefined) return;
  if (typeof time !== "string" || Number.isNaN(parseInstant(time)))
    throw new Error(`${name} must be an ISO 8601 date-time`);
}

/** Secrets that are added at run time are not derived from the seed, so nobody can guess them. */
function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
