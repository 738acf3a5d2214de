import type { Examination, Row } from "./doctor.ts";
import { escapeLine } from "../wire/message.ts";
import { type Redactor, redactorOf } from "../wire/secret.ts";
import type { Service, Target } from "./service.ts";

const marks = { ok: "ok", difference: "DIFF", open: "open", failed: "FAIL" };

/** The number of findings that are printed without `--verbose`. */
const maxShown = 12;

/** Returns the line of a check, and what to try. */
function describeFinding(row: Row): string[] {
  const { api, section, check, result, text } = row;
  const line = `${marks[result].padEnd(5)} ${`${api} ${section}`.padEnd(21)} ${check}: ${text}`;
  return [line, ...describeAdvice(row)];
}

/** Returns the lines that a person reads: what is wrong first, then the clients for services that were seen. */
export function describeExamination(examination: Examination, isVerbose: boolean): string[] {
  const { services, findings, requests } = examination;
  const ordered = services.toSorted((a, b) => rankOf(a, findings) - rankOf(b, findings));
  const shown = isVerbose ? findings.flatMap(describeFinding) : describeProblems(services, findings);
  return [
    ...ordered.flatMap((service) => describeService(service, findings)),
    ...(shown.length > 0 ? ["", ...shown] : []),
    ...describeClients(services.filter(({ isSeen }) => isSeen)),
    "",
    `${requests} ${requests === 1 ? "GET" : "GETs"}${isVerbose ? "" : "; --verbose shows each check"}`,
  ];
}

/** Returns what differs, and what could not be checked of services that were seen: the first line has it of others. */
function describeProblems(services: readonly Service[], findings: readonly Row[]): string[] {
  const seen = new Set<string>(services.filter(({ isSeen }) => isSeen).map(({ target }) => target.api));
  const problems = findings.filter(
    ({ api, result }) => result === "difference" || (result === "failed" && seen.has(api)),
  );
  const hidden = problems.length - maxShown;
  return [
    ...problems.slice(0, maxShown).flatMap(describeFinding),
    ...(hidden > 0 ? [`${hidden} more with --verbose`] : []),
  ];
}

/** What could not be checked comes first, then what differs. */
function rankOf({ target: { api } }: Service, findings: readonly Row[]): number {
  const found = new Set(findings.filter((row) => row.api === api).map(({ result }) => result));
  if (found.has("failed")) return 0;
  return found.has("difference") ? 1 : 2;
}

/** Returns what was found of one service: a line, and what to try if it was not seen. */
function describeService({ target: { api }, isSeen }: Service, findings: readonly Row[]): string[] {
  const rows = findings.filter((row) => row.api === api);
  const count = (result: Row["result"]): number => rows.filter((row) => row.result === result).length;
  const differences = count("difference");
  // a key without the scope of any list has shown nothing
  const missing = isSeen || differences > 0 ? "failed" : "open";
  const failure = rows.find(({ result }) => result === "failed" || result === missing);
  if (failure !== undefined && !isSeen) return [`FAIL ${api}: ${failure.text}`, ...describeAdvice(failure)];
  const notes = [`${count("ok")} checks ok`];
  if (count("open") > 0) notes.push(`${count("open")} open`);
  if (failure !== undefined) notes.push(`not all could be checked`);
  const [mark, words] = summarize(differences, failure !== undefined);
  return [`${mark} ${api}: ${words} (${notes.join(", ")})`];
}

function summarize(total: number, isFailed: boolean): [mark: string, words: string] {
  if (total > 0) return ["DIFF", `${total} difference${total === 1 ? "" : "s"} from the contract`];
  return isFailed
    ? ["FAIL", "as the contract says, as far as it was seen"]
    : ["ok  ", "as the contract says"];
}

function describeAdvice({ advice }: Row): string[] {
  return advice === undefined ? [] : [`     -> ${advice}`];
}

/** Returns the clients with the options that the services need. */
function describeClients(services: readonly Service[]): string[] {
  return services.flatMap(({ target: { api, base, credential }, options }) => [
    "",
    `const ${api} = new ${api === "store" ? "StoreClient" : "FleetClient"}({`,
    `  baseUrl: "${base}",`,
    `  ${credential},`,
    ...[...options].map(([name, code]) => `  ${name}: ${code},`),
    "});",
  ]);
}

/** The output of a process. */
export type Streams = Readonly<
  Record<"stdout" | "stderr", { write(text: string): unknown; isTTY?: boolean }>
>;

/** Writes lines without secrets and control characters, and a progress line on a terminal. */
export class Output {
  readonly #streams: Streams;
  readonly #redactor: Redactor;

  constructor(streams: Streams, targets: readonly Target[]) {
    this.#streams = streams;
    this.#redactor = redactorOf(
      targets.map(({ secret }) => secret).filter((secret) => !isOrdinaryWord(secret)),
    );
  }

  /** Prints text; its line breaks are kept. */
  line(text: string): void {
    this.progress("");
    for (const line of text.split("\n")) this.#streams.stdout.write(`${this.#clean(line)}\n`);
  }

  /** Replaces the progress line. */
  progress(text: string): void {
    if (this.#streams.stderr.isTTY === true)
      this.#streams.stderr.write(`\r\u001B[K${this.#clean(text).slice(0, 78)}`);
  }

  #clean(text: string): string {
    return escapeLine(this.#redactor.redact(text));
  }
}

/**
 * Whether a secret of a test service is a word that sentences contain, such as `token`. It is removed from what the service
 * says (`Service.redact`), and not from the sentences of doctor.
 */
function isOrdinaryWord(secret: string): boolean {
  return secret.length < 8 || /^[a-z]{1,15}$/i.test(secret);
}
