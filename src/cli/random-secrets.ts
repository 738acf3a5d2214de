import { randomBytes } from "node:crypto";

/** Returns a random token. */
export function randomSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** Returns a key of the fleet API for production, and one for the sandbox. */
export function randomKeys(): string[] {
  return ["ref", "ref_test"].map((prefix) => `${prefix}_${randomBytes(32).toString("hex")}`);
}
