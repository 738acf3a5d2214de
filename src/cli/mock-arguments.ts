import type { RateLimits } from "../mock/index.ts";
import { UsageError } from "./output.ts";
import {
  type Given,
  type GivenKey,
  integer,
  listOf,
  parseFlags,
  readSettings,
  requireNonEmpty,
  withDefault,
} from "./flags.ts";
import { type GivenValues, valuesOfEnvironment, valuesOfFile } from "./given-values.ts";
import { type FlagName, mockFlags, mockOptions, variableOf } from "./mock-flags.ts";
import { isLoopback } from "../wire/loopback.ts";
import { namesOf, omitUndefined } from "../wire/names.ts";

/** The settings of `shelfleet mock`. */
export type MockSettings = ReturnType<typeof settingsOf>;

/** The sources of secrets that are not printed. */
export interface HiddenSecrets {
  readonly token?: string;
  readonly key?: string;
  readonly controlToken?: string;
}

/** The task of `shelfleet mock`. */
export type MockCommand =
  | { name: "help"; of: "mock" }
  | { name: "mock"; settings: MockSettings }
  | { name: "wait"; url: URL; seconds: number };

/** The default time limit of `--wait`, in seconds. */
const DEFAULT_TIMEOUT = 30;

const timeoutFlag = withDefault(integer(0, 86_400), DEFAULT_TIMEOUT);

/**
 * Reads flags, environment and configuration file; a flag overrides a variable, and a variable overrides the file.
 *
 * @throws {UsageError}
 * @throws {StartError} if the configuration file cannot be read
 */
export function readMockArguments(args: string[], env: NodeJS.ProcessEnv): MockCommand {
  const { values, tokens } = parseMockFlags(args);
  if (values.help === true) return { name: "help", of: "mock" };
  if (values.wait !== undefined) return waitCommand(values);
  if (values.timeout !== undefined) throw new UsageError("--timeout needs --wait");
  const given = {
    ...readConfigFile(values.config, env),
    ...valuesOfEnvironment(env),
    ...valuesOfFlags(values, tokens),
  };
  const settings = settingsOf(given);
  checkPublicHost(settings);
  checkState(settings);
  return { name: "mock", settings };
}

type ParsedValues = ReturnType<typeof parseMockFlags>["values"];
type ParsedTokens = ReturnType<typeof parseMockFlags>["tokens"];

function parseMockFlags(args: string[]) {
  return parseFlags("mock", args, { options: mockOptions, allowNegative: true, tokens: true });
}

function readConfigFile(flag: string | undefined, env: NodeJS.ProcessEnv): GivenValues {
  if (flag === "") throw new UsageError("--config must not be empty");
  if (flag !== undefined) return valuesOfFile("--config", flag);
  const variable = env[variableOf("config")];
  return variable === undefined || variable === "" ? {} : valuesOfFile(variableOf("config"), variable);
}

/** A flag that describes a key applies to the `--key` before it, or otherwise to all keys. */
function valuesOfFlags(values: ParsedValues, tokens: ParsedTokens): GivenValues {
  const given: GivenValues = {};
  for (const name of namesOf(mockFlags)) {
    const value = values[name];
    if (value === undefined || name === "key" || name.startsWith("key-")) continue;
    given[name] = { value: value as Given["value"], source: `--${name}` }; // the kinds of parseArgs
  }
  const keys: GivenKey[] = [];
  for (const token of tokens) {
    if (token.kind !== "option" || (token.name !== "key" && !token.name.startsWith("key-"))) continue;
    if (token.name === "key") keys.push({ key: token.value ?? "" });
    else describeKey(token.name, token.value, token.rawName, keys.at(-1), given);
  }
  if (keys.length > 0) given.key = { value: keys, source: "--key" };
  return given;
}

function describeKey(
  name: string,
  text: string | undefined,
  argument: string,
  key: GivenKey | undefined,
  given: GivenValues,
): void {
  if (name === "key-scopes") {
    const scopes = listOf(text ?? "");
    if (key === undefined) given["key-scopes"] = { value: scopes, source: argument };
    else key.scopes = scopes;
  } else if (name === "key-expires") {
    const expires = requireNonEmpty(argument, text ?? "");
    if (key === undefined) given["key-expires"] = { value: expires, source: argument };
    else key.expires = expires;
  } else {
    const revoked = !argument.startsWith("--no-");
    if (key === undefined) given["key-revoked"] = { value: revoked, source: argument };
    else key.revoked = revoked;
  }
}

function settingsOf(given: GivenValues) {
  const {
    allowHost,
    key,
    keyScopes,
    keyExpires,
    keyRevoked,
    limitPerSecond,
    limitBurst,
    retryAfter,
    ...settings
  } = readSettings(mockFlags, given);
  const keyDefaults: Omit<GivenKey, "key"> = {
    ...omitUndefined({ scopes: keyScopes, expires: keyExpires }),
    ...(keyRevoked && { revoked: true }),
  };
  const limits: RateLimits = omitUndefined({
    perSecond: limitPerSecond,
    burst: limitBurst,
    retryAfter: retryAfter as "seconds" | undefined, // the reference server rejects other strings
  });
  return { ...settings, allowHosts: allowHost, keys: key, keyDefaults, limits, hidden: hiddenSecrets(given) };
}

/** Whether other machines can reach a server that listens on this host. */
export function isPublicHost(host: string | undefined): boolean {
  return host !== undefined && !isLoopback(host);
}

/** A secret of the environment or of a file is not printed. */
function hiddenSecrets(given: GivenValues): HiddenSecrets {
  const sourceOf = (name: FlagName): string | undefined => {
    const source = given[name]?.source;
    return source?.startsWith("--") === true ? undefined : source;
  };
  const [token, key, controlToken] = [sourceOf("token"), sourceOf("key"), sourceOf("control-token")];
  return { ...(token && { token }), ...(key && { key }), ...(controlToken && { controlToken }) };
}

/** A server that other machines can reach must have a token that the user chose. */
function checkPublicHost({ host, token, control, controlToken }: MockSettings): void {
  if (!isPublicHost(host)) return;
  if (token === undefined)
    throw new UsageError(`--host ${host} lets other machines connect and needs --token`);
  if (control && controlToken === undefined)
    throw new UsageError(`--host ${host} lets other machines connect: --control needs --control-token`);
}

function checkState({ state, stores, protocols, vehicles }: MockSettings): void {
  if (state === undefined) return;
  const [name] =
    Object.entries({ stores, protocols, vehicles }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new UsageError(`--${name} cannot be given together with --state`);
}

function waitCommand({ wait = "", timeout, ...others }: ParsedValues): MockCommand {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new UsageError(`--${other} cannot be given together with --wait`);
  const url = URL.canParse(wait) ? new URL(wait) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError("--wait must be the URL of a server, such as http://127.0.0.1:4010");
  const given = timeout === undefined ? undefined : { value: timeout, source: "--timeout" };
  return { name: "wait", url, seconds: timeoutFlag.read(given) };
}
