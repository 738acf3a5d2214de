/** Runs one history from its scenario: everything in it happens in virtual time, in one process, by its seed. */
import { getEventListeners } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { runCall, runCrowd, runDrain } from "./calls.ts";
import { createClient, createLimiter, type SimulatedWorld } from "./client.ts";
import { settle, VirtualClock } from "./clock.ts";
import { root } from "./copy-project.ts";
import { type Director, follow } from "./director.ts";
import { LeakMonitor } from "./leak-monitor.ts";
import { Network } from "./network.ts";
import { type Exchange, Observer } from "./observer.ts";
import { runPlan } from "./plans.ts";
import { runPull } from "./pulls.ts";
import type { RowCounts } from "./rules.ts";
import type { Scenario, Step } from "./scenario.ts";
import { SecretWatch } from "./secrets.ts";
import { Service } from "./service.ts";
import { runMirror } from "./mirrors.ts";
import { runUse } from "./uses.ts";
import { runWalk } from "./walks.ts";
import { runWrite } from "./writes.ts";

/** The files that clients load on first use. They are loaded now, so that no history waits for the disk. */
const lazy = globSync("src/client/{core,store,fleet}/**/*.ts", { cwd: root })
  .map((file) => join(root, file))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/import\("(\.[^"]+)"\)/g)].map(([, path = ""]) =>
      resolve(dirname(file), path),
    ),
  );
await Promise.all([...new Set(lazy)].map((file) => import(pathToFileURL(file).href)));

export interface HistoryResult {
  readonly violations: readonly string[];
  /** One line for each event. */
  readonly trace: readonly string[];
  readonly requests: number;
  /** Virtual milliseconds. */
  readonly duration: number;
  /** The kinds of the faults that requests met. */
  readonly faults: readonly string[];
  /** The readings that the service asked for, as `gap: reading`. */
  readonly requested: ReadonlySet<string>;
  /** Counts of the rules of `rows.ts`. */
  readonly counts: RowCounts;
  readonly exchanges: readonly Exchange[];
}

/** A history that is not over by then hangs. */
const mostEvents = 20_000;
/** The number of real pauses after which a history without events hangs. */
const mostPauses = 100;

export async function runHistory(
  scenario: Scenario,
  director: Director = follow(scenario),
): Promise<HistoryResult> {
  const clock = new VirtualClock();
  const observer = new Observer(scenario, clock);
  const service = new Service(scenario, clock, director);
  const network = new Network(scenario, { clock, service, observer, director });
  const world = createWorld(scenario, { clock, observer, service, network, director });
  director.attach?.(world);
  const leaks = LeakMonitor.watch((text) => observer.violate(text));
  let running = scenario.programs.length;
  const client = createClient(world);
  const { hasCopies = false } = scenario.client;
  for (const [number, steps] of scenario.programs.entries())
    void runProgram(world, number > 0 && hasCopies ? copy(client) : client, steps, number).then(
      () => void (running -= 1),
      (error: unknown) => {
        running -= 1;
        observer.violate(`program ${number} failed: ${String(error)}`);
      },
    );
  const isOver = (): boolean => running === 0 || director.isPruned === true;
  await drive(clock, isOver);
  // a history in which nothing happens may wait for a module, which takes real time
  for (let pauses = 0; pauses < mostPauses && !isOver(); pauses += 1) {
    await pause(10);
    await drive(clock, isOver);
  }
  if (director.isPruned === true) {
    leaks.end(world.secrets);
    return resultOf(world);
  }
  if (running > 0) observer.violate(`${running} programs never end`);
  await settle();
  checkLeftovers(world);
  await drive(clock, () => false);
  if (scenario.seed % 16 === 0) world.secrets.value("the client", client);
  for (const watch of world.watches) watch.end();
  checkConsole(world, leaks.end(world.secrets));
  checkWrites(world);
  return resultOf(world);
}

/** The client of another program, which shares its state with the first one. */
function copy(client: object): object {
  return (client as { withOptions(changes: object): object }).withOptions({}); // both kinds of clients have it
}

function resultOf({ clock, observer, service, network, counts }: SimulatedWorld): HistoryResult {
  const { violations, trace, exchanges } = observer;
  const faults = exchanges.flatMap(({ fault }) => (fault === undefined ? [] : [fault.kind]));
  const { requested } = service;
  return {
    violations,
    trace,
    faults,
    requests: network.count,
    duration: clock.now,
    requested,
    counts,
    exchanges,
  };
}

type Made = Pick<SimulatedWorld, "clock" | "observer" | "service" | "network" | "director">;

function createWorld(scenario: Scenario, made: Made): SimulatedWorld {
  const { clock, observer, service } = made;
  const runtimes: SimulatedWorld["runtimes"] = [];
  return {
    ...made,
    scenario,
    secrets: new SecretWatch(service.tokens, (text) => observer.violate(text)),
    runtimes,
    signals: [],
    watches: [],
    drifted: new Set(),
    counts: {},
    limiter: createLimiter(scenario.client, clock, observer, runtimes),
  };
}

async function runProgram(
  world: SimulatedWorld,
  client: object,
  steps: readonly Step[],
  number: number,
): Promise<void> {
  for (const [at, named] of steps.entries()) {
    const step = world.service.resolve(named);
    if (step.wait !== undefined) await world.clock.sleep(step.wait);
    await runStep(world, client, step, `${prefixes[step.do]}-${number}-${at}`);
  }
}

/** Requests of walks may get the response of an earlier page. */
const prefixes = {
  call: "call",
  walk: "walk",
  plan: "plan",
  pull: "walk",
  write: "write",
  mirror: "walk",
  use: "use",
  crowd: "call",
  drain: "drain",
} as const;

/** A feature of the clients with separate programs gets a kind of step in scenario.ts and a case here. */
async function runStep(world: SimulatedWorld, client: object, step: Step, name: string): Promise<void> {
  switch (step.do) {
    case "call":
      return runCall(world, client, step, name);
    case "walk":
      return runWalk(world, client, step, name);
    case "plan":
      return runPlan(world, client, step, name);
    case "pull":
      return runPull(world, client, step, name);
    case "write":
      return runWrite(world, client, step, name);
    case "crowd":
      return runCrowd(world, client, step, name);
    case "drain":
      return runDrain(world, client);
    case "use":
      return runUse(world, client, step, name);
    case "mirror":
      return runMirror(world, client, step, name);
  }
}

/** Runs events until nothing is left or `isDone`. */
async function drive(clock: VirtualClock, isDone: () => boolean): Promise<void> {
  for (let events = 0; events < mostEvents; events += 1) {
    await settle();
    if (isDone() || !clock.step()) return;
  }
}

/** Checks that no timer, listener or request is left when every program has ended. */
function checkLeftovers({ observer, runtimes, signals }: SimulatedWorld): void {
  const timers = runtimes.reduce((sum, runtime) => sum + runtime.timers.size, 0);
  if (timers > 0) observer.violate(`${timers} timers are left`);
  for (const { number } of observer.leftOpen()) observer.violate(`#${number} was left open`);
  const listeners = signals.reduce((sum, signal) => sum + getEventListeners(signal, "abort").length, 0);
  if (listeners > 0) observer.violate(`${listeners} listeners are left on signals of the program`);
}

/** Each client prints the first failure of its hooks, if it has no `onHookError`. */
function checkConsole({ observer, scenario, watches }: SimulatedWorld, lines: readonly string[]): void {
  const isSilent = scenario.client.hooks === "silent";
  const failed = watches.filter(({ hasCalls }) => hasCalls).length;
  const isExpected = lines.every((line) => /^shelfleet: on\w+ failed/.test(line));
  if (lines.length !== (isSilent ? failed : 0) || !isExpected)
    observer.violate(`the console has ${lines.length} lines: ${lines.join(" | ")}`);
}

function checkWrites({ observer, service }: SimulatedWorld): void {
  // a step of several writes is compared with its desired state as a whole
  for (const { call, harmful } of service.applications)
    if (harmful && !/^write|-lists$/.test(call))
      observer.violate(`${call} was applied a second time with another effect`);
}
