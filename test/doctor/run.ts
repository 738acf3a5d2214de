import { defaultLimits, type ResponseLimits } from "../../src/doctor/client.ts";
import { runDoctor } from "../../src/cli/doctor.ts";
import { describeFailure } from "../../src/cli/output.ts";
import type { ReferenceServer } from "../../src/mock/index.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** The part of the document of `--json` that tests read. */
export interface Result {
  readonly exitCode: number;
  readonly requests: number;
  readonly findings: readonly { api: string; section: string; check: string; result: string; text: string }[];
  readonly readings: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The limits of a busy machine. */
const patientLimits: ResponseLimits = { ...defaultLimits, timeout: 600_000, backoff: 1 };

/** Runs doctor with a fetch, and returns its exit code and output. */
export async function run(
  args: readonly string[],
  fetch: Fetch,
  env: Readonly<Record<string, string>>,
  limits = patientLimits,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const output = { stdout: "", stderr: "" };
  const streams = {
    stdout: { write: (text: string) => (output.stdout += text) },
    stderr: { write: (text: string) => (output.stderr += text) },
  };
  try {
    const exitCode = await runDoctor(["--rate", "100000", ...args], { env, fetch, streams, limits });
    return { exitCode, ...output };
  } catch (error) {
    const { lines, exitCode } = describeFailure(error);
    return { ...output, stderr: output.stderr + lines.join("\n"), exitCode };
  }
}

/** Base URLs that need no TLS. */
export const urls = {
  storeUrl: "http://store.localhost",
  fleetUrl: "http://fleet.localhost/api/third-party/v1",
  sandboxUrl: "http://sandbox.localhost/api/third-party/v1",
};

/** Returns the variables that name a reference server. */
export function variablesOf({ storeUrl, token, fleetUrl, key }: ReferenceServer): Record<string, string> {
  return {
    SHELFLEET_STORE_URL: storeUrl,
    SHELFLEET_TOKEN: token,
    SHELFLEET_FLEET_URL: fleetUrl,
    SHELFLEET_KEY: key,
  };
}

/** Runs doctor against a reference server, and returns the document of `--json`. */
export async function examine(
  ref: ReferenceServer,
  { args = [], fetch = ref.fetch, key = ref.key }: { args?: string[]; fetch?: Fetch; key?: string } = {},
): Promise<Result> {
  const { stdout } = await run(["--json", ...args], fetch, { ...variablesOf(ref), SHELFLEET_KEY: key });
  return JSON.parse(stdout) as Result;
}

/** Returns what differs from the contract, as `check: text`. */
export function differencesOf({ findings }: Result): string[] {
  return findings
    .filter(({ result }) => result === "difference")
    .map(({ check, text }) => `${check}: ${text}`);
}
