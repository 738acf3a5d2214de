import { escapeLine } from "../wire/foreign-text.ts";
import { redactorOf } from "../wire/redaction.ts";
import { searchOf } from "./faults.ts";
import type { Finding } from "./judge.ts";
import type { Plan } from "./model.ts";
import { isSolvable, right, type RightId } from "./right.ts";
import type { Family } from "./rows/index.ts";
import type { World } from "./world.ts";

/** The result of a scenario. */
export type Verdict =
  /** The result is right. */
  | "correct"
  /** The program stopped with an error and has written nothing wrong. */
  | "loud"
  /** The program reported success, and the result is wrong. */
  | "silent"
  /** The program did not end, or sent the same request again and again. */
  | "hung"
  /** The program stopped with an error, but it had written something wrong. */
  | "harmful"
  /** The token or key left the program, or the data of a write was sent to another host. */
  | "leaked"
  /** The program kept asking although the service told it to wait. */
  | "hammered"
  /** The fault was never reached, or the program fails without one. */
  | "not exercised"
  /** The rows of the program cannot be read. */
  | "not judged"
  /** The result is wrong, and nothing that the service sent shows it. */
  | "unnoticeable"
  /** Nothing could differ. */
  | "does not count";

const PASSES: ReadonlySet<Verdict> = new Set(["correct", "loud", "unnoticeable", "does not count"]);

/** The verdicts after which nothing is known about the program. */
export const UNKNOWN: ReadonlySet<Verdict> = new Set(["not exercised", "not judged"]);

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
  /** `loud although harmless`: a warning does not fail. */
  readonly warning?: string;
  /** What would have been right, in one sentence. */
  readonly right?: string;
  /** What the program did not reach. */
  readonly unreached?: string;
  /** The message of the program's error. */
  readonly failure?: string;
  readonly leak?: string;
  readonly findings: readonly Finding[];
  /** The requests and their responses. Those with a fault begin with an asterisk and end with its description. */
  readonly requests: readonly string[];
}

/** Returns the name of a scenario: the task and what happens. */
export function scenarioName({ taskName, name }: Pick<Plan, "taskName" | "name">): string {
  return `${taskName}/${name}`;
}

/** The number of characters of an error that are reported. */
const MAX_FAILURE = 4_000;

/** Describes a result without secrets. */
export function reportOf(
  world: World,
  verdict: Verdict,
  {
    findings = [],
    leak,
    failure,
  }: { findings?: Finding[]; leak?: string | undefined; failure?: string | undefined },
): Report {
  const { plan } = world;
  const { redact } = redactorOf(world.secrets);
  const isPass = PASSES.has(verdict);
  const requests = requestsOf(world);
  return {
    scenario: scenarioName(plan),
    family: plan.family,
    why: plan.why,
    task: plan.task.words,
    world: describeWorld(plan),
    verdict,
    isPass,
    ...(verdict === "loud" && isSolvable(plan.right) && { warning: "loud although harmless" }),
    ...(!isPass && !UNKNOWN.has(verdict) && { right: right[rightOf(plan, verdict, requests.length)] }),
    ...(verdict === "not exercised" && { unreached: world.unreached() ?? "the end of the task" }),
    ...(failure !== undefined && { failure: redact(failure).slice(0, MAX_FAILURE) }),
    ...(leak !== undefined && { leak }),
    findings: JSON.parse(redact(JSON.stringify(findings))) as Finding[], // only strings can change
    requests,
  };
}

function describeWorld({ faults = [], readings = {}, runs }: Plan): string[] {
  const meanings = Object.entries(readings).map(([gap, reading]) => `${gap} is "${String(reading)}"`);
  const killed = typeof runs === "object" ? [`killed at request ${runs.killedAt}, then a second run`] : [];
  const repeated = typeof runs === "string" ? [`it runs ${runs}`] : [];
  return [...faults.map(({ what }) => what), ...meanings, ...killed, ...repeated];
}

function requestsOf({ ref, faults }: World): string[] {
  return ref.journal.all().map(({ method, path, query, status, overrides = [] }) => {
    const search = searchOf(query).toString();
    const events = [...new Set(overrides.flatMap((id) => faults.get(id) ?? []))];
    const request = `${method} ${shorten(search === "" ? path : `${path}?${search}`)} ${status ?? "no response"}`;
    return events.length === 0 ? `  ${request}` : `* ${request}  <-- ${events.join(", ")}`;
  });
}

/** More requests than that are a loop, fewer of them are a wait. */
const LOOP = 25;

function rightOf(plan: Plan, verdict: Verdict, requests: number): RightId {
  if (verdict === "leaked") return "keep-secrets";
  if (verdict === "hammered") return "obey-the-wait";
  if (verdict === "hung") return requests > LOOP ? "notice-loops" : "end-waits";
  return plan.right;
}

const MAX_FINDINGS = 3;
const MAX_REQUESTS = 12;
const MAX_VALUE = 160;

/** Tells what happened in a scenario, line by line. */
export function tellStory(report: Report): string {
  const { scenario, verdict, why, task, world, findings, failure, leak, unreached, requests } = report;
  // a program that was stopped has not finished
  const shown = verdict === "hung" ? [] : findings.slice(0, MAX_FINDINGS);
  const first = requests.findIndex((request) => request.startsWith("*"));
  const start = Math.max(0, first - 2);
  const rest = requests.length - start - MAX_REQUESTS;
  return [
    `${scenario}: ${verdict}${leak === undefined ? "" : ` (${leak})`}`,
    `  why it happens   ${why}`,
    `  task             ${task}`,
    ...titled("world", world.join("; ")),
    ...titled("not reached", unreached),
    ...shown.flatMap(({ kind, what, expected, got }) => [
      ...titled(kind, what),
      ...titled("  expected", JSON.stringify(expected)),
      ...titled("  got", JSON.stringify(got)),
    ]),
    ...(findings.length > shown.length ? [`    and ${findings.length - shown.length} more`] : []),
    ...titled("error", failure),
    requests.length === 0 ? "  requests         none" : "  requests",
    ...(start > 0 ? [`      … ${start} before`] : []),
    ...requests.slice(start, start + MAX_REQUESTS).map((request) => `    ${request}`),
    ...(rest > 0 ? [`      … ${rest} more`] : []),
    ...(report.right === undefined ? [] : [`  right would be   ${report.right}`]),
  ].join("\n");
}

/** Returns a line of a story, if there is something to tell. */
function titled(title: string, text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : [`  ${title.padEnd(16)} ${shorten(text)}`];
}

/** Returns text of a program or a service on one line, without commands for a terminal. */
function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return escapeLine(line.length <= MAX_VALUE ? line : `${line.slice(0, MAX_VALUE - 1)}…`);
}
