import { randomBytes } from "node:crypto";
import {
  createReferenceServer,
  type ExportedState,
  type FleetKeySeed,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../mock/index.ts";
import { StartError } from "./output.ts";
import { readJsonFile, readJsonObject } from "./files.ts";
import { scopes } from "../../generated/fleet.operations.ts";
import type { MockSettings } from "./mock-arguments.ts";
import { omitUndefined } from "../wire/names.ts";
import { messageOf } from "../wire/thrown.ts";

/**
 * Creates the reference server that the command line describes.
 *
 * @throws {StartError}
 */
export function referenceServer(settings: MockSettings): ReferenceServer {
  try {
    return createReferenceServer({
      ...optionsOf(settings),
      ...readingsOf(settings.readings),
      ...stateOf(settings.state),
    });
  } catch (error) {
    throw new StartError(nameFlags(messageOf(error), settings)); // invalid options are an Error
  }
}

function optionsOf(settings: MockSettings): ReferenceServerOptions {
  const { seed, stores, protocols, vehicles, token, tokenExpires, now, limits, strict } = settings;
  return {
    ...omitUndefined({ now, seed }),
    ...(Object.keys(limits).length > 0 && { limits }),
    strict,
    store: {
      ...omitUndefined({ stores, protocolsPerStore: protocols, tokenExpiresAt: tokenExpires }),
      token: token ?? `ref-token-${randomSecret()}`,
    },
    fleet: { ...omitUndefined({ vehicles }), keys: keysOf(settings) },
  };
}

function keysOf({ keys, keyDefaults }: MockSettings): FleetKeySeed[] {
  const given = keys ?? randomKeys().map((key) => ({ key }));
  return given.map((givenKey) => {
    const { key, scopes: wanted = scopes, expires, revoked } = { ...keyDefaults, ...givenKey };
    return {
      key,
      scopes: [...wanted] as FleetKeySeed["scopes"], // the reference server rejects unknown ones
      ...omitUndefined({ expiresAt: expires, revoked }),
    };
  });
}

function readingsOf(file: string | undefined): ReferenceServerOptions {
  if (file === undefined) return {};
  return { readings: readJsonObject("--readings", file, "gaps and their readings") };
}

function stateOf(file: string | undefined): ReferenceServerOptions {
  // the reference server checks it
  return file === undefined ? {} : { state: readJsonFile("--state", file) as ExportedState };
}

/** Replaces the name of an option with its flag. */
function nameFlags(message: string, { state, readings, hidden }: MockSettings): string {
  return message
    .replace(/^options\./, "")
    .replace(/^(store\.token must be .*), or null$/, "$1")
    .replace(/^state\b/, `--state ${state}: state`)
    .replace(/^store\.tokenExpiresAt\b/, "--token-expires")
    .replace(/^store\.token\b/, hidden.token ?? "--token")
    .replace(/^fleet\.keys\[\d+\]\.scopes\b/, "--key-scopes")
    .replace(/^fleet\.keys\[\d+\]\.expiresAt\b/, "--key-expires")
    .replace(/^fleet\.keys\[\d+\](\.key)?/, hidden.key ?? "--key")
    .replace(/^limits\.perSecond\b/, "--limit-per-second")
    .replace(/^limits\.burst\b/, "--limit-burst")
    .replace(/^limits\.retryAfter\b/, "--retry-after")
    .replace(/^now:/, "--now:")
    .replace(/^readings:/, `--readings ${readings}:`)
    .replace("must be a Date or an ISO", "must be an ISO");
}

export function randomSecret(): string {
  return randomBytes(24).toString("base64url");
}

/** Returns a key of the fleet API for production, and one for the sandbox. */
function randomKeys(): string[] {
  return ["ref", "ref_test"].map((prefix) => `${prefix}_${randomBytes(32).toString("hex")}`);
}
