const keyEnd = /^(test_)?([\da-f]{64})$/i;

/** The prefix consists of letters, digits, dots, hyphens and underscores. */
const anyKey = /^[\da-z][\w.-]*?_(test_)?([\da-f]{64})$/i;

/** A key of the fleet API in parts. */
export interface KeyForm {
  readonly environment: "production" | "sandbox";
  readonly digits: string;
}

/**
 * Parses `<prefix>_` or `<prefix>_test_` and 64 hexadecimal digits of either case (gap keys.hex-case); undefined for
 * another text. Without a given prefix, any prefix is accepted; a prefix that ends in `_test` must be given.
 */
export function parseKey(key: string, prefix?: string): KeyForm | undefined {
  const hasPrefix = prefix === undefined || key.startsWith(`${prefix}_`);
  const parts = prefix === undefined ? anyKey.exec(key) : keyEnd.exec(key.slice(prefix.length + 1));
  if (!hasPrefix || parts === null) return undefined;
  const [, test, digits = ""] = parts;
  return { environment: test === undefined ? "production" : "sandbox", digits };
}
