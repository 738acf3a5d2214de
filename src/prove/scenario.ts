import { inspect } from "node:util";
import { judge, type Program } from "./judge.ts";
import { type Report, tellStory } from "./report.ts";
import { right } from "./right.ts";
import type { Family, Plan } from "./row.ts";
import type { TaskInput, TaskName } from "./tasks/index.ts";
import { World } from "./world.ts";

/** The input of a program in a scenario. */
export interface ScenarioContext {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  /** Returns the present token of the store API, as a secret store would: some scenarios replace it. */
  readonly readToken: () => string;
  /** Returns the present key of the fleet API, in the same way. */
  readonly readKey: () => string;
  /** The global `fetch` until the run is stopped: a program in code cannot be killed, and must send nothing afterwards. */
  readonly fetch: typeof globalThis.fetch;
  readonly task: TaskInput;
  /** Takes rows that the program has copied. */
  readonly deliver: (...rows: readonly object[]) => void;
  /** Values that a program keeps from one run to the next, such as a position. */
  readonly storage: Map<string, unknown>;
  /** Is aborted when the run is stopped. */
  readonly signal: AbortSignal;
}

/** A program under test. It fails by throwing. */
export type ScenarioProgram = (context: ScenarioContext) => unknown;

/** The options of a run in code. */
export interface ScenarioOptions {
  /** The time limit of one run of the program, in milliseconds. Default: 10 000. */
  timeout?: number | undefined;
}

/** A program did not pass a scenario; the message tells the story. */
export class ScenarioError extends Error {
  override readonly name = "ScenarioError";
  readonly report: Report;

  constructor(report: Report) {
    super(tellStory(report));
    this.report = report;
  }
}

/** A world, a task, and a verdict on how a program does it. */
export class Scenario {
  readonly name: string;
  readonly family: Family;
  readonly api: "store" | "fleet";
  readonly task: TaskName;
  /** The reason that this happens in production. */
  readonly why: string;
  /** What a program must do, in one sentence. */
  readonly right: string;
  /** @internal */
  readonly plan: Plan;

  /** @internal */
  constructor(plan: Plan) {
    this.plan = plan;
    this.name = plan.name;
    this.family = plan.family;
    this.api = plan.api;
    this.task = plan.taskName;
    this.why = plan.why;
    this.right = right[plan.right];
  }

  /**
   * Runs a program and returns the report.
   *
   * @throws {ScenarioError} if the verdict is not a pass
   */
  async run(program: ScenarioProgram, options: ScenarioOptions = {}): Promise<Report> {
    const report = await this.try(program, options);
    if (!report.isPass) throw new ScenarioError(report);
    return report;
  }

  /** Runs a program and returns the report, whatever the verdict is. */
  async try(program: ScenarioProgram, { timeout = 10_000 }: ScenarioOptions = {}): Promise<Report> {
    const world = new World(this.plan);
    try {
      await world.open();
      return await judge(world, inCode(world, program, timeout));
    } finally {
      await world.close();
    }
  }
}

/** Runs a function of this process as the program. */
function inCode(world: World, program: ScenarioProgram, timeout: number): Program {
  const deliveries: object[][] = [];
  const storage = new Map<string, unknown>();
  return {
    async run() {
      const rows: object[] = [];
      deliveries.push(rows);
      const stop = new AbortController();
      const { signal } = stop;
      const endRun = world.startRun(timeout, (reason) => stop.abort(new Error(reason)));
      const context: ScenarioContext = {
        storeUrl: world.storeUrl,
        fleetUrl: world.fleetUrl,
        readToken: () => world.token,
        readKey: () => world.key,
        fetch: stoppableFetch(signal),
        task: structuredClone(world.task),
        deliver: (...delivered) => {
          if (!signal.aborted) rows.push(...structuredClone(delivered));
        },
        storage,
        signal,
      };
      try {
        await Promise.race([(async () => program(context))(), rejectOn(signal)]);
        return { failure: undefined, output: [] };
      } catch (error) {
        return { failure: describeError(error), output: [inspect(error, EVERYTHING)] };
      } finally {
        endRun();
      }
    },
    read: async () => ({ rows: deliveries, files: [], missing: "none was delivered" }),
  };
}

/** Returns a `fetch` that sends nothing after a signal. */
function stoppableFetch(signal: AbortSignal): typeof fetch {
  /** A request that is collected as garbage would not pass on the program's time limit. */
  const requests: Request[] = [];
  return async (input, init) => {
    signal.throwIfAborted();
    const request = new Request(input, init);
    requests.push(request);
    return fetch(request, { signal: AbortSignal.any([request.signal, signal]) });
  };
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** A log can show everything in an error. */
const EVERYTHING = { depth: 10, showHidden: true, maxStringLength: null, maxArrayLength: 1000 };

/** Returns the message of an error with those of its causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  return cause === undefined ? `${name}: ${message}` : `${name}: ${message} (${describeError(cause)})`;
}
