import { writeFileSync } from "node:fs";
import { version } from "../wire/version.ts";
import { doctorHelp, readArguments, type Settings } from "./arguments.ts";
import { checks } from "./checks.ts";
import { CheckError, Client, defaultLimits, type ResponseLimits } from "./client.ts";
import { Output, type Streams } from "./output.ts";
import { type Check, type Finding, Service } from "./service.ts";

/** What a run uses of the process. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly streams: Streams;
  /** What a response may take; as a person needs it by default. */
  readonly limits?: ResponseLimits;
}

type Row = Finding & { readonly api: string; readonly section: string; readonly check: string };

/**
 * Runs `shelfleet doctor`. Returns the exit code: 0 everything as the contract says, 1 a difference, 2 something could not
 * be checked, 3 wrong arguments.
 */
export async function runDoctor(
  args: readonly string[],
  surroundings: Surroundings = { env: process.env, fetch: globalThis.fetch, streams: process },
): Promise<number> {
  try {
    const settings = readArguments(args, surroundings.env);
    if (settings !== "help") return await run(settings, surroundings);
    surroundings.streams.stdout.write(`${doctorHelp}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof CheckError)) throw error;
    surroundings.streams.stderr.write(`shelfleet: ${error.message}\n`);
    return 3;
  }
}

const marks = { ok: "ok", difference: "DIFF", open: "open", failed: "FAIL" };

async function run({ targets, ...settings }: Settings, surroundings: Surroundings): Promise<number> {
  const { fetch, streams, limits = defaultLimits } = surroundings;
  const { requests, rate, json, readings: file } = settings;
  const output = new Output(streams, targets);
  const print = (line: string): void => void (json || output.line(line));
  const client = new Client({ requests, rate }, fetch, limits);
  const onRequest = (request: string): void => output.progress(`${client.sent + 1}/${requests} ${request}`);
  const services = targets.map((target) => new Service(target, client, onRequest));
  print(`shelfleet doctor ${version}: GET only, at most ${requests} requests, ${rate} per second`);
  const findings = await runChecks(services, print);
  const readings = Object.fromEntries(services.flatMap((service) => [...service.readings]));
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(readings, undefined, 2)}\n`);
  const count = (result: string): number => findings.filter((finding) => finding.result === result).length;
  const counts = Object.entries(marks).map(([result, mark]) => `${count(result)} ${mark}`);
  print(`\n${client.sent} requests: ${counts.join(", ")} (open: no data, FAIL: not checked)`);
  for (const line of describeResults(services)) print(line);
  const exitCode = count("difference") > 0 ? 1 : count("failed") > 0 ? 2 : 0;
  const pairs = services.map(({ target, options }) => [target.api, Object.fromEntries(options)]);
  const options: unknown = Object.fromEntries(pairs);
  const document = { version, requests: client.sent, exitCode, findings, readings, options };
  if (json) output.line(JSON.stringify(document, undefined, 2));
  return exitCode;
}

/** Runs the checks of each API until no further one can be made, and prints what each finds. */
async function runChecks(services: readonly Service[], print: (line: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  const running = new Map(services.map((service) => [service.target.api, service]));
  for (const [index, { api, section, name, run: check }] of checks.entries()) {
    const service = running.get(api);
    if (service === undefined) continue;
    const isRunning = await service.run(check);
    const rest = checks.slice(index + 1).filter((other) => other.api === api).length;
    if (!isRunning) service.findings.push({ result: "failed", text: `${rest} further checks were not made` });
    if (!isRunning) running.delete(api);
    for (const { result, text } of service.findings) {
      rows.push({ api, section, check: name, result, text });
      print(`${marks[result].padEnd(5)} ${`${api} ${section}`.padEnd(21)} ${name}: ${text}`);
    }
  }
  return rows;
}

/** What only writes would show, and what the clients assume. */
const unseen: readonly (readonly [api: Check["api"], question: string, assumed: string])[] = [
  ["store", "Does PUT of a store keep properties that its body omits?", "It may not; modify() sends all."],
  ["store", "Which properties does a new store need?", "None; the issues of a 400 name them."],
  ["store", "What does PUT do to expositions that it omits?", "It may delete them; sending all is safe."],
  ["store", "Does a repeated PUT of expositions without IDs create more?", "It does; it is not repeated."],
  ["store", "Do contacts and expectations keep their IDs in a PUT?", "They get new ones."],
  ["fleet", "Does PUT replace a resource or only the properties in its body?", "It replaces the resource."],
  ["fleet", "Does a repeated POST create a second resource?", "It does; it is only repeated after a 429."],
];

/** Returns the last lines: the clients with the options that the services need, and what was not seen. */
function describeResults(services: readonly Service[]): string[] {
  const questions = unseen.filter(([api]) => services.some(({ target }) => target.api === api));
  return [
    "\nClients for this service:",
    ...services.flatMap(({ target: { api, base, credential }, options }) => [
      `  const ${api} = new ${api === "store" ? "StoreClient" : "FleetClient"}({`,
      `    baseUrl: "${base}",`,
      `    ${credential},`,
      ...[...options].map(([name, code]) => `    ${name}: ${code},`),
      "  });",
    ]),
    "\nCannot be seen with GET, and what the clients assume:",
    ...questions.map(([, question, assumed]) => `  ${question} ${assumed}`),
    "\nTo the operator of the service:",
    `  We use your API. Its documentation does not answer: ${questions.map(([, question]) => question).join(" ")}`,
  ];
}
