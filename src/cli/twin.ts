import { type SeedOptions, SeenState } from "../compare/state.ts";
import type { ReferenceServerOptions } from "../mock/index.ts";
import { ProbeOptionError, type Recorded, probeTraffic, readTrafficLog } from "../probe/index.ts";
import { UsageError } from "./failure.ts";
import { textIn } from "./json-file.ts";

/** What a log tells about a service: its readings, and the rows that it showed. */
export interface Twin {
  readonly readings: NonNullable<ReferenceServerOptions["readings"]>;
  readonly seed: SeedOptions;
}

/**
 * Reads a log of `shelfleet proxy`. The rows have the members, types, IDs and times of the service, and stand-ins for
 * personal data.
 *
 * @throws {UsageError} if the file is not such a log
 */
export function twinOf(path: string): Twin {
  const records = recordsIn(path);
  const state = new SeenState();
  for (const { method, status, body, place } of records) {
    if (place === undefined) continue;
    state.add({ api: place.api, method, path: place.path, status, json: jsonOf(body) });
  }
  const { readings } = probeTraffic(records, {});
  return { readings, seed: state.seed() };
}

function recordsIn(path: string): Recorded[] {
  const text = textIn("--twin", path);
  try {
    return readTrafficLog(text);
  } catch (error) {
    if (error instanceof ProbeOptionError)
      throw new UsageError(`--twin ${path}: not a log of shelfleet proxy`);
    throw error;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
