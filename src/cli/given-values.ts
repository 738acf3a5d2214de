import { dirname, resolve } from "node:path";
import { UsageError } from "./output.ts";
import { type Flag, type Given, type GivenKey, listOf } from "./flags.ts";
import { readJsonObject } from "./files.ts";
import { isObject } from "../wire/json.ts";
import { type FlagName, flagNames, mockFlags, variableOf } from "./mock-flags.ts";

export type GivenValues = Partial<Record<FlagName, Given>>;

/** Returns the values of the environment variables; an empty variable is not set. */
export function valuesOfEnvironment(env: NodeJS.ProcessEnv): GivenValues {
  const values: GivenValues = {};
  for (const name of flagNames) {
    const source = variableOf(name);
    const text = env[source];
    if (text !== undefined && text !== "")
      values[name] = { value: parseVariable(name, text, source), source };
  }
  return values;
}

function parseVariable(name: FlagName, text: string, source: string): Given["value"] {
  switch (mockFlags[name].kind) {
    case "switch":
      if (/^(1|true|0|false)$/.test(text)) return text === "1" || text === "true";
      throw new UsageError(`${source} must be 1, true, 0 or false`);
    case "texts":
      return listOf(text);
    case "keys":
      return listOf(text).map((key) => ({ key }));
    default:
      return text;
  }
}

/**
 * Reads the configuration file. Its paths are relative to its folder.
 *
 * @throws {StartError} if it cannot be read
 * @throws {UsageError} for an invalid property; values of secrets are not quoted
 */
export function valuesOfFile(option: string, file: string): GivenValues {
  const values: GivenValues = {};
  for (const [name, value] of Object.entries(readJsonObject(option, file, "flags and their values"))) {
    const known = flagNames.find((flagName) => flagName === name);
    if (known === undefined)
      throw new UsageError(
        `${option} ${file}: unknown property "${name}". Expected one of ${flagNames.join(", ")}`,
      );
    const flag: Flag<unknown> = mockFlags[known];
    const source = `"${name}" in ${file}`;
    const parsed = parseProperty(flag, value, source);
    const isPath = flag.path === true && typeof parsed === "string" && parsed !== "";
    values[known] = { value: isPath ? resolve(dirname(file), parsed) : parsed, source };
  }
  return values;
}

function parseProperty({ kind }: Flag<unknown>, value: unknown, source: string): Given["value"] {
  switch (kind) {
    case "switch":
      if (typeof value === "boolean") return value;
      throw new UsageError(`${source} must be true or false`);
    case "integer":
      if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
      throw new UsageError(`${source} must be an integer`);
    case "number":
      if (typeof value === "number" && Number.isFinite(value)) return String(value);
      throw new UsageError(`${source} must be a number`);
    case "text":
      return textOf(value, source);
    case "texts":
      return Array.isArray(value)
        ? value.map((element, index) => textOf(element, `${source}, element ${index},`))
        : [textOf(value, source)];
    case "keys":
      return (Array.isArray(value) ? value : [value]).map((element, index) =>
        keyOf(element, `${source}, element ${index},`),
      );
  }
}

function textOf(value: unknown, source: string): string {
  if (typeof value === "string") return value;
  throw new UsageError(`${source} must be a string`);
}

const KEY_PROPERTIES = ["key", "scopes", "expires", "revoked"];

function keyOf(value: unknown, source: string): GivenKey {
  if (typeof value === "string") return { key: value };
  if (!isObject(value))
    throw new UsageError(`${source} must be a key, or an object of ${KEY_PROPERTIES.join(", ")}`);
  const unknown = Object.keys(value).find((name) => !KEY_PROPERTIES.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `${source} has the unknown property "${unknown}". Expected ${KEY_PROPERTIES.join(", ")}`,
    );
  const { key, scopes, expires, revoked } = value;
  if (revoked !== undefined && typeof revoked !== "boolean")
    throw new UsageError(`${source}: revoked must be true or false`);
  if (scopes !== undefined && !Array.isArray(scopes))
    throw new UsageError(`${source}: scopes must be an array`);
  return {
    key: textOf(key, `The key of ${source}`),
    ...(scopes !== undefined && { scopes: scopes.map((scope) => textOf(scope, `A scope of ${source}`)) }),
    ...(expires !== undefined && { expires: textOf(expires, `The expiry of ${source}`) }),
    ...(revoked !== undefined && { revoked }),
  };
}
