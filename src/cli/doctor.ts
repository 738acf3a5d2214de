import { writeFileSync } from "node:fs";
import { version } from "../wire/version.ts";
import type { ResponseLimits } from "../doctor/client.ts";
import { type Examination, examine, type Settings } from "../doctor/doctor.ts";
import { Output, type Streams } from "../doctor/output.ts";
import { findProxy, useProxies } from "../doctor/proxy.ts";
import { describeCheck, describeExamination } from "../doctor/report.ts";
import { doctorFlags, doctorHelp, readSettings } from "./doctor-flags.ts";
import { readFlags } from "./flags.ts";

/** What a run uses of the process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly streams: Streams;
  /** What a response may take; as a person needs it by default. */
  readonly limits?: ResponseLimits;
}

/**
 * Runs `shelfleet doctor`. Returns the exit code: 0 everything as the contract says, 1 a difference, 2 something could not
 * be checked.
 *
 * @throws {UsageError}
 */
export async function runDoctor(
  args: readonly string[],
  surroundings: Surroundings = { env: process.env, fetch: globalThis.fetch, streams: process },
): Promise<number> {
  const { env, streams } = surroundings;
  const flags = readFlags("doctor", doctorFlags, args);
  if (flags === undefined) {
    streams.stdout.write(`${doctorHelp}\n`);
    return 0;
  }
  const settings = nameProxies(readSettings(flags, env), surroundings);
  const output = new Output(streams, settings.targets);
  const examination = await examine(settings, {
    ...surroundings,
    onRequest: (text) => output.progress(text),
    onFinding: (row) => void (flags.verbose && !flags.json && output.line(describeCheck(row))),
  });
  const { readings } = examination;
  if (flags.readings !== undefined)
    writeFileSync(flags.readings, `${JSON.stringify(readings, undefined, 2)}\n`);
  if (flags.json) output.line(JSON.stringify(toDocument(examination), undefined, 2));
  else for (const line of describeExamination(examination, flags.verbose)) output.line(line);
  return examination.exitCode;
}

/** Uses the proxies of the environment and names them, or says that this Node cannot. */
function nameProxies(settings: Settings, { env, fetch, streams }: Surroundings): Settings {
  const targets = settings.targets.map((target) => ({
    ...target,
    proxy: findProxy(new URL(target.base), env),
  }));
  if (targets.every(({ proxy }) => proxy === undefined)) return settings;
  // a fetch of a test has no proxy
  if (fetch !== globalThis.fetch || useProxies(env)) return { ...settings, targets };
  streams.stderr.write(
    "shelfleet: the proxy of the environment is not used: that needs Node 24.14 or later\n",
  );
  return settings;
}

/** The document of `--json`. */
function toDocument({ services, findings, readings, requests, exitCode }: Examination): unknown {
  const pairs = services.map(({ target, options }) => [target.api, Object.fromEntries(options)]);
  const options: unknown = Object.fromEntries(pairs);
  return { version, requests, exitCode, findings, readings, options };
}
