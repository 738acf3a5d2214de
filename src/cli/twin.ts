import { type SeedOptions, ObservedState } from "../field/compare/state.ts";
import type { ReferenceServerOptions } from "../mock/index.ts";
import { ProbeOptionError, type Recorded, probeTraffic, readTrafficLog } from "../field/probe/index.ts";
import { StartError } from "./failure.ts";
import { readTextFile } from "./json-file.ts";

/** The data of a service in a log: its readings, and the rows of its responses. */
export interface Twin {
  readonly readings: NonNullable<ReferenceServerOptions["readings"]>;
  readonly seed: SeedOptions;
  /** The lists and values that the log does not show. */
  readonly invented: readonly string[];
}

/**
 * Reads a log of `shelfleet proxy`. The rows have the properties, types, IDs and times of the service, and stand-ins for
 * personal data.
 *
 * @throws {StartError} if the file is not such a log
 */
export function twinOf(path: string): Twin {
  const records = recordsIn(path);
  const state = new ObservedState();
  for (const { method, url, status, body, place } of records) {
    if (place === undefined) continue;
    state.add({ api: place.api, method, path: place.path, query: queryOf(url), status, json: jsonOf(body) });
  }
  const { readings } = probeTraffic(records, {});
  const seed = state.seed({ ...readings });
  return { readings, seed, invented: state.invented };
}

function recordsIn(path: string): Recorded[] {
  const text = readTextFile("--twin", path);
  try {
    return readTrafficLog(text);
  } catch (error) {
    if (error instanceof ProbeOptionError)
      throw new StartError(`--twin ${path}: not a log of shelfleet proxy`);
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

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
