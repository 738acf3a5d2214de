import type { Clock } from "../../server/clock.ts";
import { parseInstant } from "../../../wire/instants.ts";

/** A token of the store API. Changes of its expiry last until `reset()`. */
export interface StoreToken {
  readonly token: string;
  /** ISO 8601; the token is rejected from then on, by the server's clock. */
  expiresAt?: string;
  revoked?: boolean;
}

/** Returns the issue of a token; `undefined` for a valid token. */
export function tokenFault(
  secret: string | undefined,
  token: StoreToken | undefined,
  clock: Clock,
): string | undefined {
  if (secret === undefined) return "The token is missing: expected the header Authorization: Bearer <token>";
  if (token === undefined) return "The token is invalid: this server has no such token";
  if (token.revoked === true) return "The token is invalid: it was revoked";
  if (token.expiresAt !== undefined && parseInstant(token.expiresAt) <= clock.ms())
    return "The token is invalid: it has expired";
  return undefined;
}
