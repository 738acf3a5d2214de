import type { CauseId } from "./causes.ts";
import type { Finding } from "./judge/finding.ts";
import type { Family } from "./model.ts";
import { redactorOf } from "../../wire/redaction.ts";
import { type Observation, type Verdict, isPass } from "./verdict.ts";
import type { World } from "./world.ts";

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
    findings: redactor.redactValue(findings) as Finding[],
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
    const search = new URLSearchParams(query as Record<string, string>).toString();
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
