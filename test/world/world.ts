/** Runs one history: programs at the same time, kills and new programs, and then a calm run of each job. */
import { Copies } from "./copies.ts";
import type { History, Step } from "./history.ts";
import { ensureAll, plan } from "./jobs.ts";
import { Program } from "./program.ts";
import { Service } from "./service.ts";
import { type Saved, StepContext } from "./step.ts";
import { walk } from "./walks.ts";
import { modifyOne, upsertAll, write } from "./writes.ts";

/** Runs a history. Rejects with the first broken rule, whose `trace` shows what happened. */
export async function runHistory(history: History): Promise<void> {
  const service = new Service(history);
  try {
    await service.clock.run(new World(service, history).run());
  } catch (error) {
    throw Object.assign(service.violation ?? (error as Error), { trace: service.trace }); // of this folder
  }
}

class World {
  readonly #service: Service;
  readonly #history: History;
  readonly #copies = new Copies();
  #program: Program;
  #programs = 1;

  constructor(service: Service, history: History) {
    this.#service = service;
    this.#history = history;
    this.#program = new Program(service, history, "1");
  }

  async run(): Promise<void> {
    const { programs } = this.#history;
    await Promise.all(programs.map((steps, index) => this.#runSteps(steps, `${index + 1}`, "")));
    this.#program.checkEnd();
    this.#service.calmDown();
    this.#program = new Program(this.#service, this.#history, "calm");
    for (const [index, steps] of programs.entries()) {
      const jobs = steps.map((step) => ("runs" in step ? { ...step, runs: 2 } : step));
      await this.#runSteps(jobs, `${index + 1}`, "c");
    }
    this.#program.checkEnd();
  }

  async #runSteps(steps: readonly Step[], program: string, suffix: string): Promise<void> {
    for (const [index, step] of steps.entries())
      await this.#runStep(step, `${program}.${index + 1}${suffix}`);
  }

  /** Runs a step, again and again while its program ends before it. */
  async #runStep(step: Step, id: string): Promise<void> {
    const { ref, truth, happened } = this.#service;
    const isClear = ref.overrides.all().length === 0;
    const saved: Saved = { start: truth.now, happened, isClear, starts: 0 };
    for (let isDone = false; !isDone; ) {
      if (this.#program.isOver)
        this.#program = new Program(this.#service, this.#history, String((this.#programs += 1)));
      const program = this.#program;
      const context = new StepContext(this.#service, program, id, saved);
      saved.starts += 1;
      this.#service.note(`${id} ${saved.starts > 1 ? "again " : ""}${JSON.stringify(step)}`);
      const end = await Promise.race([this.#do(step, context), program.killed]);
      if (this.#service.violation !== undefined) throw this.#service.violation;
      isDone = end !== "killed" && !program.isDrained && !context.call.signal.aborted;
    }
  }

  #do(step: Step, context: StepContext): Promise<void> {
    const { mirror, pull } = this.#copies;
    const jobs = { plan, ensure: ensureAll, expositions: upsertAll, mirror, pull };
    return { walk, write, modify: modifyOne, ...jobs }[step.do](context, step as never); // the step of this name
  }
}
