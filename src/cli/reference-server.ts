import { randomBytes } from "node:crypto";
import { ObservedState } from "../field/compare/state.ts";
import {
  createReferenceServer,
  type ExportedState,
  type FleetKeySeed,
  type ReferenceServer,
  type ReferenceServerOptions,
} from "../mock/index.ts";
import { ProbeOptionError, probeTraffic, readTrafficLog, type Recorded } from "../field/probe/index.ts";
import { printError, StartError } from "./output.ts";
import { readJsonFile, readJsonObject, readTextFile, unusedLines } from "./files.ts";
import { scopes } from "../../generated/fleet.operations.ts";
import { type Recording, createTwin } from "../field/compare/server.ts";
import type { MockSettings } from "./mock-arguments.ts";
import { parseJson } from "../wire/json.ts";
import { omitUndefined } from "../wire/names.ts";
import { messageOf } from "../wire/thrown.ts";

/** The beginning of a note: what follows is lost when the server's data change. */
const ONLY_RECORDED = "only in recorded responses";

/** A recording, and its differences from the log. */
interface Twin extends Recording {
  readonly notes: readonly string[];
}

/**
 * Reads a log of `shelfleet proxy`. The rows have the properties, types, IDs and times of the service, and stand-ins for
 * personal data. Rows of the sandbox are used if the log has no others of the fleet API.
 *
 * @throws {StartError} if the file is not such a log
 */
function twinOf(path: string): Twin {
  const text = readTextFile("--twin", path);
  const { records, readings: found } = readingsIn(text, path);
  const state = new ObservedState();
  const isSandboxed = !records.some(({ place }) => place?.as === "fleet");
  // a write changes the data, also if its response is missing
  for (const { method, url, status, body, place } of readTrafficLog(text, { withOmitted: true })) {
    if (place === undefined || (place.as === "sandbox" && !isSandboxed)) continue;
    state.add({
      api: place.api,
      method,
      path: place.path,
      query: queryOf(url),
      status,
      json: parseJson(body),
    });
  }
  // another page than the one of a cursor would be wrong without an error
  const readings = {
    ...(state.hasOpaqueCursors && { "stores.unknown-cursor": "reject" as const }),
    ...found,
  };
  const seed = state.seed({ ...readings });
  const {
    invented,
    responses,
    undescribed,
    store: { omitted },
    fleet: { unknownFieldResponses },
  } = state;
  const notes = [
    ...unusedLines(text, records),
    ...(invented.length > 0 ? [`invented, because the log does not show them: ${invented.join(", ")}`] : []),
    ...(undescribed > 0
      ? [
          `not used: ${undescribed} reads of other paths than those of the contract, or with another status than 200`,
        ]
      : []),
    ...(responses.outdated > 0
      ? [`out of date: the responses to ${responses.outdated} requests, after which the service changed`]
      : []),
    ...[...responses.incomplete].map(
      ([operation, count]) => `incomplete: ${count} pages of ${operation}, whose next page was not recorded`,
    ),
    ...omitted.map((reason) => `${ONLY_RECORDED}: ${reason}`),
    ...(unknownFieldResponses > 0
      ? [
          `${ONLY_RECORDED}: ${unknownFieldResponses} responses of vehicles of a field, which no recorded inspection contains`,
        ]
      : []),
  ];
  return { readings, seed, responses, notes };
}

function readingsIn(text: string, path: string): { records: Recorded[]; readings: Twin["readings"] } {
  try {
    const records = readTrafficLog(text);
    return { records, readings: probeTraffic(records, {}).readings };
  } catch (error) {
    if (error instanceof ProbeOptionError) throw new StartError(`--twin ${path}: ${error.message}`);
    throw error;
  }
}

function queryOf(url: string): Record<string, string | string[]> {
  if (!URL.canParse(url)) return {};
  const { searchParams } = new URL(url);
  const pairs = [...searchParams].map(([name, value]) => {
    const values = searchParams.getAll(name);
    return [name, values.length > 1 ? values : value] as const;
  });
  return Object.fromEntries(pairs);
}

/**
 * Creates the reference server that the command line describes.
 *
 * @throws {StartError}
 */
export function referenceServer(settings: MockSettings): ReferenceServer {
  const own = {
    ...optionsOf(settings),
    ...readingsOf(settings.readings),
    ...stateOf(settings.state),
  };
  const twin = settings.twin === undefined ? undefined : twinOf(settings.twin);
  try {
    if (twin === undefined) return createReferenceServer(own);
    const { ref, omitted } = createTwin(twin, own);
    for (const note of [...twin.notes, ...omitted.map((reason) => `${ONLY_RECORDED}: ${reason}`)])
      printError(`shelfleet: --twin ${settings.twin}: ${note}`);
    return ref;
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
