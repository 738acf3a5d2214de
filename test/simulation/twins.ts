/**
 * Compares a history with twins that have to come to the same end: a program that stops and resumes after each page, one that
 * reads its list in another way, and one whose client uses another transport.
 */
import { type HistoryResult, runHistory } from "./history.ts";
import type { PullRun, Scenario, Step, WalkStep } from "./scenario.ts";

interface Twin {
  readonly name: string;
  readonly scenario: Scenario;
  /** The facts that both have in common. */
  readonly compare: (result: HistoryResult) => readonly string[];
  /** Whether a history may differ from its twin. */
  readonly mayDiffer?: (result: HistoryResult) => boolean;
}

/** More pages than any list has. */
const manyPages = 40;

/** Runs a history, and its twins if it breaks no rule. */
export async function runWithTwins(scenario: Scenario): Promise<HistoryResult> {
  const result = await runHistory(scenario);
  const { violations } = result;
  return violations.length > 0 ? result : { ...result, violations: await compareTwins(scenario, result) };
}

/** The problems of the twins of a history that has ended and breaks no rule. */
export async function compareTwins(scenario: Scenario, result: HistoryResult): Promise<string[]> {
  const problems: string[] = [];
  // an explored replica is of the time before the readings were chosen
  if (result.faults.includes("stale")) return problems;
  for (const { name, scenario: other, compare, mayDiffer } of twinsOf(scenario, result)) {
    const twin = await runHistory(other);
    problems.push(...twin.violations.map((violation) => `${name}: ${violation}`));
    if (mayDiffer?.(result) === true || mayDiffer?.(twin) === true) continue;
    const [expected, found] = [compare(result), compare(twin)];
    const index = expected.findIndex((line, at) => line !== found[at]);
    const at = index < 0 ? expected.length : index;
    if (index >= 0 || found.length > expected.length)
      problems.push(`${name} differs: ${found[at] ?? "it ends"}, and not ${expected[at] ?? "its end"}`);
  }
  return problems;
}

function twinsOf(scenario: Scenario, result: HistoryResult): Twin[] {
  const { client, programs } = scenario;
  const [[step, ...others] = [], ...rest] = programs;
  if (step === undefined || others.length + rest.length > 0 || step.abort !== undefined) return [];
  const withStep = (other: Step): Scenario => ({ ...scenario, programs: [[other]] });
  const twins: Twin[] = [];
  if (step.do === "walk" && isWhole(step)) {
    const { by, kills: _, ...walk } = step;
    if (by === "pages" && step.kills === undefined && !isHealing(step))
      twins.push({
        name: "a walk that stops after each page",
        scenario: withStep({ ...step, kills: Array<number>(manyPages).fill(1) }),
        // each new client counts its calls from 1, and an echo shows the number
        mayDiffer: (one) =>
          hasFailedToken(one) || repeatsEarlierPage(one) || isRefused(one) || one.faults.includes("echo"),
        // of two reasons, a walk that was resumed may name the other one
        compare: (walked) =>
          listTraffic(walked).map((line) => line.replace(/(PaginationError: [^:]*): .*/, "$1")),
      });
    if (by === "items" && step.kills === undefined) {
      // a program that pauses after each item may stay below the limit of a service
      const mayDiffer = (one: HistoryResult): boolean => step.pause !== undefined && isRefused(one);
      const common = { compare: listTraffic, mayDiffer };
      twins.push({ name: "toArray", scenario: withStep({ ...walk, by: "array" }), ...common });
      if (scenario.api === "store") {
        twins.push({ name: "pages", scenario: withStep({ ...walk, by: "pages" }), ...common });
        twins.push({ name: "prefetch", scenario: withStep({ ...walk, by, ahead: 1 }), ...common });
      } else if (isQuiet(scenario))
        twins.push({
          name: "concurrency",
          scenario: withStep({ ...walk, by, ahead: 3 }),
          compare: listItems,
        });
    }
  }
  // After a stop, a pull whose cursor leads to the first page reads the range again, and one without IDs compares again.
  // A pull whose cursor is rejected because its item was deleted continues in narrower ranges; one that was stopped
  // in between reads its whole range again (row P-9).
  // With the strategy `single`, it reads its page again before it ends with an error.
  // A state has the last 500 items outside of the overlap; a run that was not stopped knows more of them.
  const isMisled =
    scenario.world.protocols > 500 ||
    client.strategy === "single" ||
    (scenario.world.nameless ?? 0) > 0 ||
    result.exchanges.some(({ request, status }) => request.includes("cursor=") && status === 400) ||
    result.faults.some((kind) => ["page", "repeat", "mixed"].includes(kind)) ||
    ["protocols.next-page", "protocols.id-property"].some((gap) => scenario.readings[gap] !== undefined);
  if (step.do === "pull" && step.runs.every(isPlainRun) && !isMisled)
    twins.push({
      name: "a pull that stops after each batch",
      scenario: withStep({
        ...step,
        runs: step.runs.flatMap((run, number) => stopOften(run, number, result)),
      }),
      compare: listTraffic,
      mayDiffer: hasFailedToken,
    });
  const via = client.via === "fetch" ? "transport" : "fetch";
  // `fetch` gives no response with a status that HTTP does not have, and no error for the missing body of a 204
  const isOdd =
    Object.values(scenario.faults).some(
      (fault) => fault.kind === "status" && (fault.status < 200 || fault.status > 599),
    ) || result.exchanges.some(({ status, fault }) => status === 204 && fault?.kind === "cut");
  if (client.ignoresAbort !== true && !isOdd)
    twins.push({
      name: `a client with ${via}`,
      scenario: { ...scenario, client: { ...client, via } },
      compare: listTraffic,
      // a body that is too long is closed or has ended when the time of its attempt is over
      mayDiffer: () => client.maxResponseBytes !== undefined && client.timeout !== undefined,
    });
  return twins;
}

/** The walk is read to its end in one way, one page after the other. */
function isWhole(step: WalkStep): boolean {
  const { ahead, stop, changed, otherPath, elsewhere, isTampered, awaited, max } = step;
  return [ahead, stop, changed, otherPath, elsewhere, isTampered, awaited, max].every(
    (value) => value === undefined,
  );
}

function isHealing({ query }: WalkStep): boolean {
  return query["onDrift"] === "heal" || query["verify"] === true;
}

/** Each new client asks for a token, so that the token function fails at another place. */
function hasFailedToken({ trace }: HistoryResult): boolean {
  return trace.some((line) => line.endsWith("ProgramError: the token service is down"));
}

/** A token has the hashes of the last 64 pages only. */
function repeatsEarlierPage({ trace }: HistoryResult): boolean {
  return trace.some((line) => line.includes("the server returned an earlier page again"));
}

function isRefused({ exchanges }: HistoryResult): boolean {
  return exchanges.some(({ served }) => served === 429);
}

function isPlainRun({ kill, other, isTampered }: PullRun): boolean {
  return kill === undefined && other === undefined && isTampered === undefined;
}

/** A run that another client continues after each batch but the last one. */
function stopOften(run: PullRun, number: number, { trace }: HistoryResult): PullRun[] {
  const own = trace.filter((line) => line.includes(`walk-0-0.${number} `));
  const batches = own.filter((line) => line.includes(" batch with ")).length;
  const isFailed = own.some((line) => line.includes(" rejected: "));
  const stopped: PullRun = { ...run, kill: { after: 1, saved: true } };
  const stops = Math.max(0, batches - (isFailed ? 0 : 1));
  return [...Array.from({ length: stops }, () => stopped), run];
}

function isQuiet({ faults, changes }: Scenario): boolean {
  return Object.keys(faults).length + Object.keys(changes).length === 0;
}

/** The requests and responses, the items that the program was given, and the errors. */
function listTraffic(result: HistoryResult): string[] {
  const traffic = result.exchanges.map(({ request, response }) => `${request} ${response}`);
  return [...traffic.map((line) => line.replaceAll(/"signature":\d+/g, "")), ...listItems(result)];
}

/** The items that the program was given, or the error without them: `toArray` gives all items or none. */
function listItems({ trace }: HistoryResult): string[] {
  const given = trace
    .map((line) => line.replace(/^\S+ /, "").replace(/^(\S+-0-0)\.\d+/, "$1"))
    .filter((line) => /^end walk-\d+-\d+ |rejected: | batch with /.test(line));
  const isFailed = given.some((line) => line.includes(" rejected: "));
  return isFailed ? given.filter((line) => !line.startsWith("end ")) : given;
}
