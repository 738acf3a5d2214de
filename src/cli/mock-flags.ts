import {
  type Flag,
  type GivenKey,
  decimal,
  headerText,
  hostNames,
  integer,
  optionsOf,
  path,
  text,
  texts,
  toggle,
  withDefault,
} from "./flags.ts";
import { namesOf } from "../wire/names.ts";

/** The largest number of rows: more would exceed the memory of most machines. */
const MAX_ROWS = 1_000_000;

const keys: Flag<GivenKey[] | undefined> = {
  kind: "keys",
  read: (given) => given?.value as GivenKey[] | undefined, // the kind of the flag
};

/** The flags of `shelfleet mock` that the environment and the configuration file can also set, by their names there. */
export const mockFlags = {
  port: withDefault(integer(0, 65_535), 4010),
  host: text,
  cors: toggle,
  "allow-host": hostNames,
  seed: integer(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  stores: integer(0, MAX_ROWS),
  protocols: integer(0, MAX_ROWS),
  vehicles: integer(0, MAX_ROWS),
  token: text,
  "token-expires": text,
  key: keys,
  "key-scopes": texts,
  "key-expires": text,
  "key-revoked": toggle,
  now: text,
  readings: path,
  strict: toggle,
  "limit-per-second": decimal,
  "limit-burst": integer(1, MAX_ROWS),
  "retry-after": text,
  state: path,
  save: path,
  json: toggle,
  quiet: toggle,
  control: toggle,
  "control-token": headerText,
} as const satisfies Readonly<Record<string, Flag<unknown>>>;

export type FlagName = keyof typeof mockFlags;

export const flagNames = namesOf(mockFlags);

/** Returns the environment variable of a flag: `SHELFLEET_KEY_SCOPES` for `key-scopes`. */
export function variableOf(name: FlagName | "config"): string {
  return `SHELFLEET_${name.toUpperCase().replaceAll("-", "_")}`;
}

/** The options of `node:util`'s `parseArgs`. */
export const mockOptions = {
  ...optionsOf(mockFlags),
  config: { type: "string" },
  wait: { type: "string" },
  timeout: { type: "string" },
} as const;
