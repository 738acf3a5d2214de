import { checks } from "./checks.ts";
import { Client, defaultLimits, type ResponseLimits } from "./client.ts";
import { type Finding, Service, type Target } from "./service.ts";

/** What to read, and the bounds of a run. */
export interface Settings {
  readonly targets: readonly Target[];
  readonly requests: number;
  readonly rate: number;
}

/** What a run uses of its caller. */
export interface Run {
  readonly fetch: typeof fetch;
  /** What a response may take; as a person needs it by default. */
  readonly limits?: ResponseLimits;
  /** Called before each request with its number and without its data. */
  readonly onRequest: (text: string) => void;
}

/** A finding of a check. */
export type Row = Finding & { readonly api: string; readonly section: string; readonly check: string };

/** What a run has found. */
export interface Examination {
  readonly services: readonly Service[];
  readonly findings: readonly Row[];
  /** The readings that were seen, by gap. */
  readonly readings: Readonly<Record<string, string>>;
  /** The number of requests. */
  readonly requests: number;
  /** 0 everything as the contract says, 1 a difference, 2 something could not be checked. */
  readonly exitCode: 0 | 1 | 2;
}

/** Compares services with the contract. */
export async function examine({ targets, requests, rate }: Settings, run: Run): Promise<Examination> {
  const client = new Client({ requests, rate }, run.fetch, run.limits ?? defaultLimits);
  const onRequest = (request: string): void => run.onRequest(`${client.sent + 1} ${request}`);
  const services = targets.map((target) => new Service(target, client, onRequest));
  const findings = await runChecks(services);
  const readings = Object.fromEntries(services.flatMap((service) => [...service.readings]));
  return { services, findings, readings, requests: client.sent, exitCode: exitCodeOf(findings, services) };
}

function exitCodeOf(findings: readonly Row[], services: readonly Service[]): Examination["exitCode"] {
  const found = new Set(findings.map(({ result }) => result));
  if (found.has("difference")) return 1;
  return found.has("failed") || !services.every(({ isSeen }) => isSeen) ? 2 : 0;
}

/** Runs the checks of each API until no further one can be made. */
async function runChecks(services: readonly Service[]): Promise<Row[]> {
  const rows: Row[] = [];
  const running = new Map(services.map((service) => [service.target.api, service]));
  for (const [index, { api, section, name, run: check }] of checks.entries()) {
    const service = running.get(api);
    if (service === undefined) continue;
    const isRunning = await service.run(check);
    if (!isRunning) {
      const rest = checks.slice(index + 1).filter((other) => other.api === api).length;
      service.findings.push({ result: "failed", text: `${rest} further checks were not made` });
      running.delete(api);
    }
    rows.push(...service.findings.map((finding) => ({ api, section, check: name, ...finding })));
  }
  return rows;
}
