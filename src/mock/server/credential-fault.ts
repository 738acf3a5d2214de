import type { Clock } from "./clock.ts";
import { parseInstant } from "../../wire/instants.ts";

/** Returns the message of a 401 for a token or a key; `undefined` if it is one of the server and valid. */
export function credentialFault(
  name: "token" | "key",
  credential: { readonly expiresAt?: string; readonly revoked?: boolean } | undefined,
  clock: Clock,
): string | undefined {
  const invalid = `The ${name === "key" ? "API key" : name} is invalid:`;
  if (credential === undefined) return `${invalid} this server has no such ${name}`;
  if (credential.revoked === true) return `${invalid} it was revoked`;
  const { expiresAt } = credential;
  const isExpired = expiresAt !== undefined && parseInstant(expiresAt) <= clock.ms();
  return isExpired ? `${invalid} it has expired` : undefined;
}
