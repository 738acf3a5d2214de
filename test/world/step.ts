/** What every step has: its program, what it has saved, and what happened since it began. */
import { ApiError, type CallOptions, ShelfleetError } from "../../src/index.ts";
import { must } from "./clock.ts";
import type { Program } from "./program.ts";
import type { Service } from "./service.ts";
import type { Truth } from "./truth.ts";

/** What survives a kill. */
export interface Saved {
  /** The state of the truth, and the number of events, at the first start of the step. */
  readonly start: number;
  readonly happened: number;
  /** Whether an earlier event may still have an effect. */
  readonly isClear: boolean;
  /** How often the step was started. */
  starts: number;
  /** The store of the step, and whether it reads protocols, or something that does not exist. */
  store?: string;
  isProtocols?: boolean;
  isMissing?: boolean;
  /** The progress of walks, plans and copies. */
  resume?: string;
  ids?: string[];
  plan?: string;
  run?: number;
}

export class StepContext {
  readonly service: Service;
  readonly program: Program;
  /** The number of the program and of the step. */
  readonly id: string;
  readonly saved: Saved;
  /** The options of every call: the signal, and a header that tells the service who sends it. */
  readonly call: CallOptions & { signal: AbortSignal };
  readonly truth: Truth;

  constructor(service: Service, program: Program, id: string, saved: Saved) {
    this.service = service;
    this.program = program;
    this.id = id;
    this.saved = saved;
    this.call = { signal: program.signal, headers: { "x-step": id } };
    this.truth = service.truth;
  }

  /** Saves something. The code of a killed program changes nothing that was saved. */
  async save(write: () => void): Promise<void> {
    if (this.program.isAlive) this.service.atSave(this.program);
    await this.live();
    write();
  }

  /** Ends here if the program was killed. */
  async live(): Promise<void> {
    if (!this.program.isAlive) await new Promise(() => {});
  }

  /** Waits between two runs. */
  async sleep(ms: number): Promise<void> {
    await this.service.clock.sleep(ms);
    await this.live();
  }

  /** Whether nothing happened since the step began, so that it has to succeed. */
  get isCalm(): boolean {
    const { service, saved, truth, program, call, id } = this;
    const { readings, client } = program.history;
    // a store without external ID at the end of a page has no cursor: an error says so
    if (readings["stores.null-cursor"] === "last-not-null") return false;
    // a service that ignores cursors may have more protocols in one instant than a page holds
    const isIgnored = (readings["protocols.next-page"] ?? "cursor") !== "cursor";
    if (saved.isProtocols === true && (isIgnored || client.protocolPages === "window")) return false;
    const isQuiet = service.happened === saved.happened && saved.isClear && saved.starts === 1;
    const hasTime = client.totalTimeout === null || (client.perSecond === null && service.happened === 0);
    const others = truth.changes.slice(saved.start).filter(({ by }) => by !== id);
    return isQuiet && hasTime && !program.isOver && !call.signal.aborted && others.length === 0;
  }

  /** Fails if the step had no reason to fail. */
  requireReason(error: unknown): void {
    const { signal } = this.call;
    this.program.inspect(error, "an error");
    const isReason = error === signal.reason || !(error instanceof DOMException);
    if (signal.aborted) return must(isReason, "an abort has its reason", String(error));
    const { stores } = this.service.ref.state.store;
    const isMissing = this.saved.isMissing === true || !stores.has(this.saved.store ?? "");
    if (error instanceof ApiError && error.status === 404 && isMissing) return;
    must(!this.isCalm, "a step fails only for a reason", error instanceof Error ? error.stack : error);
  }

  /** Whether an error is one of the package, or the end of the program. Another one is a fault. */
  isExpected(error: unknown): boolean {
    const isEnd =
      error === this.call.signal.reason || (this.program.isDrained && error instanceof DOMException);
    return isEnd || error instanceof ShelfleetError;
  }

  /** Runs a call or a job; a failure needs a reason. Undefined after a failure. */
  async attempt<T>(work: () => PromiseLike<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.isExpected(error)) throw error;
      this.requireReason(error);
      return undefined;
    }
  }

  /** The external ID of a store; one that does not exist if there is none. */
  store(pick: number): string {
    this.saved.store ??= [...this.service.ref.state.store.stores.keys()].toSorted()[pick] ?? "S-9";
    return this.saved.store;
  }
}
