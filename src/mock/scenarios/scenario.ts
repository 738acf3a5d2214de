import type { ReferenceFetch } from "../adapters/fetch.ts";
import { World } from "./world.ts";
import type { ReferenceServer } from "../reference-server.ts";
import type { Family, ScenarioPlan, TaskInput } from "./model.ts";
import { type Report, scenarioName, tellStory } from "./report.ts";
import { type RunResult, runTrial } from "./trial.ts";

/** The type of the global `fetch`. */
export type ScenarioFetch = ReferenceFetch;

/** As many as `fetch` follows. */
const MAX_REDIRECTS = 20;

/** The objects of an error that are searched for secrets. */
const MAX_OBJECTS = 10_000;

/**
 * Returns a `fetch` that follows redirects as the standard says, which `ref.fetch` leaves to its caller. Another host
 * records the request. Requests of a stopped run fail.
 */
function followRedirects(world: World, stopped: AbortSignal): ScenarioFetch {
  return async (input, init) => {
    let request = new Request(input, init);
    for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
      if (stopped.aborted) throw stopped.reason;
      const body = request.body === null ? undefined : await request.clone().arrayBuffer();
      const response = await send(world, request);
      const location = response.headers.get("location");
      if (location === null || response.status < 300 || response.status > 399) return response;
      if (request.redirect === "manual") return response;
      if (request.redirect === "error") throw new TypeError("fetch failed: unexpected redirect");
      request = redirected(request, response.status, new URL(location, request.url), body);
    }
    throw new TypeError("fetch failed: too many redirects");
  };
}

async function send(world: World, request: Request): Promise<Response> {
  const { storeUrl, fleetUrl, sandboxUrl } = world.ref;
  const { origin } = new URL(request.url);
  if ([storeUrl, fleetUrl, sandboxUrl].some((base) => new URL(base).origin === origin))
    return world.ref.fetch(request);
  world.elsewhere.push(`${request.url} ${JSON.stringify([...request.headers])}`);
  world.bodiesElsewhere.push(await request.text());
  return Response.json({ items: [], data: [] });
}

function redirected(
  { method, headers, signal, url }: Request,
  status: number,
  to: URL,
  body?: ArrayBuffer,
): Request {
  const isReplaced =
    (status === 303 && method !== "GET" && method !== "HEAD") ||
    ((status === 301 || status === 302) && method === "POST");
  const next = new Headers(headers);
  if (to.origin !== new URL(url).origin) next.delete("authorization");
  if (isReplaced) for (const name of ["content-type", "content-length"]) next.delete(name);
  return new Request(to, {
    method: isReplaced ? "GET" : method,
    headers: next,
    signal,
    ...(!isReplaced && body !== undefined && { body }),
  });
}

/** The input of a program in a scenario. */
export interface ScenarioContext {
  readonly storeUrl: string;
  readonly fleetUrl: string;
  readonly sandboxUrl: string;
  /** The token of the store API when the run begins. */
  readonly token: string;
  /** The key of the fleet API when the run begins. */
  readonly key: string;
  /** Returns the present token, as a secret store would: some scenarios replace it. */
  readonly readToken: () => string;
  /** Returns the present key, in the same way. */
  readonly readKey: () => string;
  /** A `fetch` that the scenario responds to. */
  readonly fetch: ScenarioFetch;
  readonly task: TaskInput;
  /** Takes rows that the program has copied. */
  readonly deliver: (...rows: readonly object[]) => void;
  /** Values that a program keeps from one run to the next, such as a position. */
  readonly storage: Map<string, unknown>;
  /** Is aborted when the run is stopped. */
  readonly signal: AbortSignal;
  /** The server, for `mswHandlers(ref)`. */
  readonly ref: ReferenceServer;
}

/** A program under test. It fails by throwing. */
export type ScenarioProgram = (context: ScenarioContext) => unknown;

/** The options of a run in code. */
export interface ScenarioOptions {
  /** The time limit of one run of the program, in milliseconds. Default: 10 000. */
  timeout?: number;
  /** Other data. Default: 1. */
  seed?: number;
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
  readonly task: string;
  /** The reason that this happens in production. */
  readonly why: string;
  /** @internal */
  readonly plan: ScenarioPlan;

  /** @internal */
  constructor(plan: ScenarioPlan) {
    this.plan = plan;
    this.name = scenarioName(plan);
    this.family = plan.family;
    this.api = plan.task.api;
    this.task = plan.task.name;
    this.why = plan.why;
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
  async try(program: ScenarioProgram, { timeout = 10_000, seed = 1 }: ScenarioOptions = {}): Promise<Report> {
    const world = this.createWorld(seed);
    world.arm("https://elsewhere.example.com");
    const deliveries: object[][] = [];
    const storage = new Map<string, unknown>();
    const execute = (index: number): Promise<RunResult> => {
      const rows: object[] = [];
      deliveries[index] = rows;
      return runOnce(world, program, { timeout, rows, storage });
    };
    return runTrial(world, { execute, readRows: async () => deliveries });
  }

  /** @internal */
  createWorld(seed: number): World {
    return new World(this.plan, { seed, now: () => performance.now() });
  }
}

interface RunSettings {
  readonly timeout: number;
  readonly rows: object[];
  readonly storage: Map<string, unknown>;
}

/** Runs the program once, until it ends, is killed or takes too long. */
async function runOnce(world: World, program: ScenarioProgram, settings: RunSettings): Promise<RunResult> {
  const { timeout, rows, storage } = settings;
  const stop = new AbortController();
  let isTimedOut = false;
  const timer = setTimeout(() => {
    isTimedOut = true;
    stop.abort(new Error("the scenario stopped the run: it took too long"));
  }, timeout);
  world.startRun({ onStop: () => stop.abort(new Error("the scenario stopped the run")) });
  const stopped = new Promise<never>((_, reject) => {
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason), { once: true });
  });
  const deliver = (...delivered: readonly object[]) => {
    if (!stop.signal.aborted) rows.push(...structuredClone(delivered));
  };
  try {
    const running = Promise.resolve().then(() => program(contextOf(world, { stop, deliver, storage })));
    await Promise.race([running, stopped]);
    return { failure: undefined, isTimedOut, output: [] };
  } catch (error) {
    return { failure: describeError(error), isTimedOut, output: stringsIn(error) };
  } finally {
    clearTimeout(timer);
    world.endRun();
  }
}

function contextOf(
  world: World,
  { stop, deliver, storage }: { stop: AbortController } & Pick<ScenarioContext, "deliver" | "storage">,
): ScenarioContext {
  const { ref, task, token, key } = world;
  return {
    storeUrl: ref.storeUrl,
    fleetUrl: ref.fleetUrl,
    sandboxUrl: ref.sandboxUrl,
    token,
    key,
    readToken: () => world.token,
    readKey: () => world.key,
    fetch: followRedirects(world, stop.signal),
    task: structuredClone(task),
    deliver,
    storage,
    signal: stop.signal,
    ref,
  };
}

/** Returns the message of an error with those of its causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, cause } = error;
  return cause === undefined ? `${name}: ${message}` : `${name}: ${message} (${describeError(cause)})`;
}

/** Returns the strings in a thrown value and in its properties, causes and requests: a log shows all of them. */
function stringsIn(thrown: unknown): string[] {
  const strings: string[] = [];
  const waiting = [thrown];
  const seen = new Set<unknown>();
  for (const value of waiting) {
    if (typeof value === "string") strings.push(value);
    if (typeof value !== "object" || value === null || seen.has(value) || seen.size === MAX_OBJECTS) continue;
    seen.add(value);
    if (value instanceof Request) waiting.push(value.url, value.headers);
    if (value instanceof Headers || value instanceof Map || value instanceof Set) waiting.push(...value);
    for (const name of Reflect.ownKeys(value))
      waiting.push(Object.getOwnPropertyDescriptor(value, name)?.value);
  }
  return strings;
}
