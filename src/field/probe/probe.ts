import { type Redactor, redactorOf } from "../../wire/redaction.ts";
import { messageOf } from "../../wire/thrown.ts";
import { Budget, type EndReason, systemTiming } from "../sender/budget.ts";
import { investigate, notify } from "./engine.ts";
import { Investigation } from "./investigation.ts";
import { experimentsFor } from "./experiments/catalog.ts";
import { ProbeOptionError } from "./failures.ts";
import { attempt } from "./restore.ts";
import { createTools } from "./run-tools.ts";
import { checkScratchStore, checkServices } from "./service-checks.ts";
import type { Consent, OpenGap } from "./gap.ts";
import { apiOf } from "./gap.ts";
import { omitUndefined } from "../../wire/names.ts";
import { type RunTools, servicesOf } from "./experiment-tools.ts";
import { Connection } from "./service.ts";
import { type ProbeOptions, checkOptions, defaultMaxRequests, secretsOf, allowedBy } from "./options.ts";
import { type Evidence, type ProbeReport, citedBy, findingsOf, readingsIn, toEvidence } from "./report.ts";
import { ShapeCounts } from "./shapes/entities.ts";

/** Requests per second. */
const RATE = 2;

/**
 * Finds out which readings a live service uses.
 *
 * @throws {ProbeOptionError} if an option is wrong
 * @throws {ProbeServiceError} if a service cannot be reached, rejects the credentials, or is another API
 * @example const { readings } = await probe({ storeUrl: "https://stores.example.com", token });
 */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  checkOptions(options);
  const run = new Run(options);
  await run.investigate();
  return run.report();
}

/** The state of one run. */
class Run {
  readonly #options: ProbeOptions;
  readonly #redactor: Redactor;
  readonly #allowed: ReadonlySet<Consent>;
  readonly #investigations: Investigation[];
  readonly #evidence: Evidence[] = [];
  readonly #shapes = new ShapeCounts();
  readonly #budget: Budget;
  #tools: RunTools;
  readonly #unavailable = new Map<"store" | "fleet", string>();
  #current: Investigation | undefined;
  readonly #maxRequests: number;
  #remaining: readonly string[] = [];

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#redactor = redactorOf(secretsOf(options));
    this.#allowed = allowedBy(options);
    const isWanted = (gap: OpenGap): boolean => this.#isWanted(gap);
    this.#investigations = experimentsFor(isWanted).map((experiment) => new Investigation(experiment));
    const signal = options.signal ?? new AbortController().signal;
    this.#maxRequests = options.maxRequests ?? defaultMaxRequests(options);
    const timing = options.timing ?? systemTiming;
    this.#budget = new Budget(this.#maxRequests, options.rate ?? RATE, timing, signal);
    const settings = {
      fetch: options.fetch,
      timeout: options.timeout,
      budget: this.#budget,
      timing,
      redactor: this.#redactor,
      signal,
    };
    const connection = new Connection(settings, (exchange) => {
      // a run keeps no bodies
      this.#evidence.push(toEvidence(exchange, this.#tools.marker));
      this.#shapes.add(exchange);
      notify(this.#investigations, exchange);
      this.#showProgress();
    });
    connection.onVoid = (numbers) => {
      for (const service of servicesOf(this.#tools)) service.forget(numbers);
      for (const investigation of this.#investigations) investigation.retract(numbers);
    };
    this.#tools = createTools(options, connection, this.#budget, (gap) =>
      this.#investigations.find((investigation) => investigation.gap === gap),
    );
    this.#budget.reserved = () =>
      (this.#tools.scratch?.pending ?? 0) +
      (this.#tools.sandboxWrites?.pending ?? 0) +
      Number(servicesOf(this.#tools).some(({ isPending }) => isPending));
  }

  async investigate(): Promise<void> {
    await this.#checkServices();
    await checkScratchStore(this.#tools.scratch, this.#options.createScratchStore === true);
    await this.#openLedger();
    try {
      await this.#runExperiments();
    } finally {
      const { scratch, sandboxWrites } = this.#tools;
      this.#remaining = [...((await sandboxWrites?.restore()) ?? []), ...((await scratch?.restore()) ?? [])];
    }
  }

  /** Leaves out a service that cannot be probed. @throws {ProbeServiceError} if none is left */
  async #checkServices(): Promise<void> {
    const failures = await checkServices(this.#tools);
    for (const [api, { message }] of failures) this.#unavailable.set(api, message);
    const none = { store: undefined, scratch: undefined };
    if (this.#unavailable.has("store")) this.#tools = { ...this.#tools, ...none };
    const noFleet = { fleet: undefined, sandbox: undefined, narrow: [], sandboxWrites: undefined };
    if (this.#unavailable.has("fleet")) this.#tools = { ...this.#tools, ...noFleet };
  }

  /** @throws {ProbeOptionError} if the ledger cannot be written */
  async #openLedger(): Promise<void> {
    const { ledger, write } = this.#options;
    if (write !== true || ledger === undefined) return;
    try {
      await ledger.append({ type: "run", marker: this.#tools.marker, services: this.#services });
    } catch (error) {
      throw new ProbeOptionError(`The ledger cannot be written: ${messageOf(error)}`);
    }
  }

  async #runExperiments(): Promise<void> {
    const ready = this.#investigations.filter(
      ({ experiment, gap }) => this.#allowed.has(experiment.consent) && !this.#unavailable.has(apiOf(gap)),
    );
    await investigate(ready, this.#tools, (investigation) => {
      this.#current = investigation;
    });
    if (this.#budget.ended !== undefined && this.#budget.ended !== "requests") return;
    for (const service of servicesOf(this.#tools))
      if (this.#budget.total < this.#maxRequests) await attempt(() => service.confirmNegatives());
  }

  report(): ProbeReport {
    const findings = findingsOf(
      this.#investigations,
      this.#allowed,
      (gap) => this.#isWanted(gap),
      this.#ignoredQueries,
      this.#tools.scratch?.goneAfter,
    );
    const { ended, total, writes } = this.#budget;
    return {
      version: 1,
      probedAt: new Date((this.#options.timing ?? systemTiming).now()).toISOString(),
      services: this.#services,
      readings: readingsIn(findings),
      findings,
      requests: { total, writes },
      ...(ended !== undefined && { partial: ended, ...this.#remainder(ended) }),
      ...(this.#unavailable.size > 0 && { unavailable: [...this.#unavailable.values()] }),
      ...(this.#remaining.length > 0 && { leftBehind: this.#remaining }),
      shapes: this.#shapes.schemas(),
      evidence: citedBy(findings, this.#evidence),
    };
  }

  /** The paths of each API whose responses do not depend on the query. */
  get #ignoredQueries(): Map<"store" | "fleet", string> {
    const paths = servicesOf(this.#tools).flatMap(({ target: { api }, ignoredQuery }) =>
      ignoredQuery === undefined ? [] : [[api, ignoredQuery] as const],
    );
    return new Map(paths);
  }

  #showProgress(): void {
    if (this.#current === undefined) return;
    const { gap, evaluation } = this.#current;
    const requests = this.#budget.total;
    const progress = { gap, verdict: evaluation.verdict, requests, maxRequests: this.#maxRequests };
    this.#options.onProgress?.(progress);
  }

  /** Returns what a partial report says about the rest. */
  #remainder(ended: EndReason): Pick<ProbeReport, "neededToDecide" | "neededToFind" | "retryAfter"> {
    const { total, retryAfter } = this.#budget;
    if (retryAfter !== undefined) return { retryAfter: Math.ceil(retryAfter / 1000) };
    if (ended !== "requests") return {};
    const open = this.#investigations.filter(
      ({ experiment }) => this.#allowed.has(experiment.consent) && experiment.consent !== "passive",
    );
    const sum = (cost: (investigation: Investigation) => number): number =>
      open.reduce((requests, investigation) => requests + cost(investigation), 0);
    const toFind = total + sum(({ costToFind }) => costToFind);
    const toDecide = toFind + sum(({ costToDecide }) => costToDecide);
    return {
      neededToDecide: roundUp(toDecide),
      ...(toFind > total && { neededToFind: roundUp(toFind) }),
    };
  }

  get #services(): Record<string, string> {
    const { storeUrl, fleetUrl, sandboxUrl } = this.#options;
    const urls = omitUndefined({ store: storeUrl, fleet: fleetUrl, sandbox: sandboxUrl });
    // a path may contain a secret
    return Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, this.#redactor.redact(url)]));
  }

  #isWanted(gap: OpenGap): boolean {
    const { only, storeUrl } = this.#options;
    const api = apiOf(gap);
    const isThere =
      (api === "store" ? storeUrl !== undefined : this.#hasFleet) && !this.#unavailable.has(api);
    return isThere && (only?.includes(gap) ?? true);
  }

  get #hasFleet(): boolean {
    return this.#options.fleetUrl !== undefined || this.#options.sandboxUrl !== undefined;
  }
}

/** An estimate has no exact number. */
function roundUp(requests: number): number {
  return Math.ceil(requests / 10) * 10;
}
