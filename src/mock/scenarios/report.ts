import { type CauseId, causes } from "./causes.ts";
import { searchOf } from "./faults.ts";
import type { Finding } from "./judge/rows.ts";
import type { Family } from "./model.ts";
import { isPass, type Observation, type Verdict } from "./verdict.ts";
import type { World } from "./world.ts";
import { escapeLine } from "../../wire/foreign-text.ts";
import { redactorOf } from "../../wire/redaction.ts";

/** A request of the program, for the story of a failure. */
export interface ReportedRequest {
  readonly method: string;
  readonly target: string;
  /** `null` if there was no response. */
  readonly status: number | null;
  /** The faults that affected it. */
  readonly faults: readonly string[];
}

/** The result of one scenario. */
export interface Report {
  readonly scenario: string;
  readonly family: Family;
  readonly why: string;
  /** The task in words. */
  readonly task: string;
  /** The events and readings of the world. */
  readonly world: readonly string[];
  readonly verdict: Verdict;
  readonly isPass: boolean;
  /** `loud although harmless`, for example; a warning does not fail. */
  readonly warning?: string;
  readonly cause?: CauseId;
  /** The message of the program's error. */
  readonly failure?: string;
  readonly leak?: string;
  readonly findings: readonly Finding[];
  readonly requests: readonly ReportedRequest[];
}

/** The causes that follow from the verdict, whatever the scenario is. */
const VERDICT_CAUSES: Partial<Record<Verdict, CauseId>> = {
  leaked: "secret-sent-on",
  hammered: "retry-after-ignored",
};

/** The number of characters of an error that are reported. */
const MAX_FAILURE = 4_000;

/** Describes what was observed, without secrets. */
export function describeResult(
  world: World,
  verdict: Verdict,
  { findings, isFailed, leak }: Observation,
  failure: string | undefined,
): Report {
  const { plan } = world;
  const redactor = redactorOf(world.secrets);
  const passed = isPass(verdict);
  const requests = requestsOf(world);
  const warning = verdict === "loud" && plan.isSolvable === true ? "loud although harmless" : undefined;
  return {
    scenario: scenarioName(plan),
    family: plan.family,
    why: plan.why,
    task: plan.task.words,
    world: describeWorld(world),
    verdict,
    isPass: passed,
    ...(warning !== undefined && { warning }),
    ...(!passed && verdict !== "not exercised" && { cause: causeOf(world, verdict, requests) }),
    ...(isFailed && failure !== undefined && { failure: redactor.redact(failure).slice(0, MAX_FAILURE) }),
    ...(leak !== undefined && { leak }),
    findings: JSON.parse(redactor.redact(JSON.stringify(findings))) as Finding[], // only strings can change
    requests,
  };
}

/** Returns the name of a scenario: the task and what happens. */
export function scenarioName({ task, name }: { task: { name: string }; name: string }): string {
  return `${task.name}/${name}`;
}

function describeWorld({ plan }: World): string[] {
  const readings = Object.entries(plan.world?.readings ?? {}).map(
    ([gap, reading]) => `${gap} is "${String(reading)}"`,
  );
  const { runs } = plan;
  const runText = {
    once: [],
    together: ["two runs at the same time"],
    again: [
      runs.kind === "again" && runs.when === "failed" ? "a second run if the first one fails" : "two runs",
    ],
    killed: [runs.kind === "killed" ? `killed at request ${runs.atRequest}, then a second run` : ""],
  };
  return [...plan.faults.map(({ what }) => what), ...readings, ...runText[runs.kind]];
}

function requestsOf({ ref, faults }: World): ReportedRequest[] {
  return ref.journal.all().map(({ method, path, query, status, overrides = [] }) => {
    const search = searchOf(query).toString();
    return {
      method,
      target: search === "" ? path : `${path}?${search}`,
      status,
      faults: overrides.flatMap((id) => faults.get(id) ?? []),
    };
  });
}

/** More requests than that are a loop, fewer of them are a wait. */
const LOOP = 25;

function causeOf({ plan }: World, verdict: Verdict, requests: readonly ReportedRequest[]): CauseId {
  const cause = VERDICT_CAUSES[verdict];
  if (cause !== undefined) return cause;
  if (verdict !== "hung") return plan.cause;
  return requests.length > LOOP ? "cursor-followed-blindly" : "no-timeout";
}

const MAX_FINDINGS = 3;
const MAX_REQUESTS = 12;
const MAX_VALUE = 160;

/** Tells what happened in a scenario, line by line. */
export function tellStory(report: Report): string {
  const { scenario, verdict, why, task, world, failure, leak, findings, requests, cause } = report;
  const lines = [
    `${scenario}: ${verdict}${leak === undefined ? "" : ` (${leak})`}`,
    `  why it happens   ${why}`,
    `  task             ${task}`,
    ...(world.length > 0 ? [`  world            ${world.join("; ")}`] : []),
    // a program that was stopped has not finished
    ...describeFindings(verdict === "hung" ? [] : findings),
    ...(failure === undefined ? [] : [`  error            ${shorten(failure)}`]),
    ...describeRequests(requests),
    ...(cause === undefined
      ? []
      : [`  likely cause     ${causes[cause].title}`, `  hint             ${causes[cause].hint}`]),
  ];
  return lines.join("\n");
}

function describeFindings(findings: readonly Finding[]): string[] {
  const shown = findings
    .slice(0, MAX_FINDINGS)
    .flatMap(({ kind, what, expected, got }) => [
      `  ${kind.padEnd(16)} ${shorten(what)}`,
      ...(expected === undefined ? [] : [`    expected       ${shorten(JSON.stringify(expected))}`]),
      ...(got === undefined ? [] : [`    got            ${shorten(JSON.stringify(got))}`]),
    ]);
  const more = findings.length - MAX_FINDINGS;
  return more > 0 ? [...shown, `    and ${more} more`] : shown;
}

/** Shows the requests around the first one that a fault affected. */
function describeRequests(requests: readonly ReportedRequest[]): string[] {
  const first = requests.findIndex(({ faults }) => faults.length > 0);
  const start = Math.max(0, first - 2);
  const shown = requests.slice(start, start + MAX_REQUESTS).map(describeRequest);
  const [before, after] = [start, requests.length - start - shown.length];
  return [
    ...(requests.length > 0 ? ["  requests"] : ["  requests         none"]),
    ...(before > 0 ? [`    … ${before} before`] : []),
    ...shown,
    ...(after > 0 ? [`    … ${after} more`] : []),
  ];
}

function describeRequest({ method, target, status, faults }: ReportedRequest): string {
  const mark = faults.length > 0 ? `  <-- ${faults.join(", ")}` : "";
  return `    ${faults.length > 0 ? "*" : " "} ${method} ${shorten(target)} ${status ?? "no response"}${mark}`;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return escapeLine(line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`);
}
