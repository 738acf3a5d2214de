/** The kind of a flag's value. */
export type FlagKind = "switch" | "integer" | "number" | "text" | "texts" | "keys";

/** A flag of `shelfleet mock` that the environment and the configuration file can also set. */
export interface Flag {
  readonly kind: FlagKind;
  /** Whether the value is a secret, which no message quotes. */
  readonly secret?: true;
  /** Whether the value is the path of a file. */
  readonly path?: true;
}

/** The flags of `shelfleet mock`, by their names in the configuration file. */
export const mockFlags = {
  port: { kind: "integer" },
  host: { kind: "text" },
  cors: { kind: "switch" },
  "allow-host": { kind: "texts" },
  seed: { kind: "integer" },
  stores: { kind: "integer" },
  protocols: { kind: "integer" },
  vehicles: { kind: "integer" },
  token: { kind: "text", secret: true },
  "token-expires": { kind: "text" },
  key: { kind: "keys", secret: true },
  "key-scopes": { kind: "texts" },
  "key-expires": { kind: "text" },
  "key-revoked": { kind: "switch" },
  now: { kind: "text" },
  readings: { kind: "text", path: true },
  strict: { kind: "switch" },
  twin: { kind: "text", path: true },
  "limit-per-second": { kind: "number" },
  "limit-burst": { kind: "integer" },
  "retry-after": { kind: "text" },
  state: { kind: "text", path: true },
  save: { kind: "text", path: true },
  json: { kind: "switch" },
  quiet: { kind: "switch" },
  control: { kind: "switch" },
  "control-token": { kind: "text", secret: true },
} as const satisfies Readonly<Record<string, Flag>>;

/** The name of a flag. */
export type FlagName = keyof typeof mockFlags;

/** The names of all flags. */
export const flagNames = Object.keys(mockFlags) as FlagName[];

/** Returns the environment variable of a flag: `SHELFLEET_KEY_SCOPES` for `key-scopes`. */
export function variableOf(name: FlagName | "config"): string {
  return `SHELFLEET_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The options of `node:util`'s `parseArgs`. */
export const mockOptions = {
  ...(Object.fromEntries(
    Object.entries<Flag>(mockFlags).map(([name, { kind }]) => [
      name,
      { type: kind === "switch" ? "boolean" : "string", multiple: kind === "texts" || kind === "keys" },
    ]),
  ) as Record<FlagName, { type: "boolean" | "string"; multiple: boolean }>),
  config: { type: "string" },
  wait: { type: "string" },
  timeout: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;
