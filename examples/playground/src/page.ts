import { describeIds } from "../../demo/comparison.ts";
import type { Job, Outcome, Program, Reasons, Side } from "./job.ts";
import { ensureJob, ensureSide } from "./jobs/ensure.ts";
import { html as ensureCode } from "./jobs/ensure.ts?code";
import { mirrorJob, mirrorSide } from "./jobs/mirror.ts";
import { html as mirrorCode } from "./jobs/mirror.ts?code";
import { planJob, planSide } from "./jobs/plan.ts";
import { html as planCode } from "./jobs/plan.ts?code";
import { pullJob, pullSide } from "./jobs/pull.ts";
import { html as pullCode } from "./jobs/pull.ts?code";
import { ensureSide as naiveEnsure } from "./naive/ensure.ts";
import { html as naiveEnsureCode } from "./naive/ensure.ts?code";
import { mirrorSide as naiveMirror } from "./naive/mirror.ts";
import { html as naiveMirrorCode } from "./naive/mirror.ts?code";
import { planSide as naivePlan } from "./naive/plan.ts";
import { html as naivePlanCode } from "./naive/plan.ts?code";
import { pullSide as naivePull } from "./naive/pull.ts";
import { html as naivePullCode } from "./naive/pull.ts?code";
import { type Event, loseNext, type Service, startService } from "./service.ts";

/** A program of a job, with its code as HTML. */
interface Entry {
  side: Side;
  code: string;
}

/** The jobs, each with both programs. */
const jobs = new Map<Job, Record<"naive" | "shelfleet", Entry>>([
  [
    pullJob,
    { naive: { side: naivePull, code: naivePullCode }, shelfleet: { side: pullSide, code: pullCode } },
  ],
  [
    mirrorJob,
    {
      naive: { side: naiveMirror, code: naiveMirrorCode },
      shelfleet: { side: mirrorSide, code: mirrorCode },
    },
  ],
  [
    planJob,
    { naive: { side: naivePlan, code: naivePlanCode }, shelfleet: { side: planSide, code: planCode } },
  ],
  [
    ensureJob,
    {
      naive: { side: naiveEnsure, code: naiveEnsureCode },
      shelfleet: { side: ensureSide, code: ensureCode },
    },
  ],
]);

const sides = { naive: "A loop around fetch", shelfleet: "shelfleet" } as const;
type SideName = keyof typeof sides;

const place = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};

/** Creates an element with a text, attributes and children. */
function create<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function createButton(label: string, act: () => void | Promise<void>): HTMLButtonElement {
  const button = create("button", { type: "button" }, label);
  button.addEventListener("click", () => void act());
  return button;
}

/** One side of the page: its service, its programs, and where it shows what happens. */
class Panel {
  readonly element = create("section");
  readonly service: Service;
  readonly #name: SideName;
  readonly #programs = new Map<Job, Program>();
  readonly #timeline = create("ol", { className: "timeline" });
  readonly #result = create("div", { role: "status" });
  #reasons: Reasons = [];
  /** Whether a response of the service will be lost. */
  isArmed = false;

  constructor(name: SideName, onLost: () => void) {
    this.#name = name;
    this.service = startService((event) => this.#add(event, onLost));
    this.element.ariaLabel = sides[name];
  }

  show(job: Job): void {
    const { side, code } = this.#entryOf(job);
    this.#reasons = side.reasons;
    this.#timeline.replaceChildren();
    this.#result.replaceChildren();
    // the code of this page, colored when it was built
    const shown = create("pre", { tabIndex: 0, role: "region", innerHTML: code });
    shown.ariaLabel = `Code: ${sides[this.#name]}`;
    this.element.replaceChildren(create("h3", {}, sides[this.#name]), shown, this.#result, this.#timeline);
  }

  async run(job: Job, input: string): Promise<void> {
    const program = this.#programs.get(job) ?? this.#entryOf(job).side.start(this.service);
    this.#programs.set(job, program);
    this.note("run");
    try {
      const outcome = await program(input);
      this.#result.replaceChildren(
        create("p", {}, outcome.summary),
        this.#compare(job, input, outcome),
        createTable(outcome, sides[this.#name]),
      );
    } catch (error) {
      this.#result.replaceChildren(create("p", { className: "wrong" }, `failed: ${String(error)}`));
      this.note(`failed: ${String(error)}`);
    }
  }

  note(text: string): void {
    const why = this.#explain(text);
    const item = create("li", { className: "note" }, text);
    if (why !== undefined) item.append(create("span", { className: "why" }, why));
    this.#timeline.append(item);
  }

  #entryOf(job: Job): Entry {
    const entry = jobs.get(job)?.[this.#name];
    if (entry === undefined) throw new Error(`no program for ${job.title}`);
    return entry;
  }

  /** What the program has in the end, and what it should have. */
  #compare(job: Job, input: string, { ids }: Outcome): HTMLElement {
    const expected = new Set(job.expect(this.service, input));
    const text = describeIds(ids, expected);
    const isRight = text === String(expected.size);
    const words = isRight ? `in the end: all ${text}` : `in the end: ${text}, should be ${expected.size}`;
    return create("p", { className: isRight ? "right" : "wrong" }, words);
  }

  #add(event: Event, onLost: () => void): void {
    if (event.kind === "note") return this.note(event.text);
    const answer = create("span", {}, "…");
    const item = create("li", {}, create("span", {}, event.sent), answer);
    const why = this.#explain(event.sent);
    if (why !== undefined) item.append(create("span", { className: "why" }, why));
    this.#timeline.append(item);
    void event.answered.then(({ text, isLost }) => {
      answer.textContent = text;
      answer.classList.toggle("lost", isLost);
      if (!isLost) return;
      this.isArmed = false;
      onLost();
    });
  }

  #explain(line: string): string | undefined {
    return this.#reasons.find(([pattern]) => pattern.test(line))?.[1];
  }
}

function createTable({ rows }: Outcome, label: string): HTMLElement {
  const names = Object.keys(rows[0] ?? {});
  const head = create("tr", {}, ...names.map((name) => create("th", { scope: "col" }, name)));
  const body = rows.map((row) => create("tr", {}, ...names.map((name) => create("td", {}, row[name] ?? ""))));
  const table = create("table", {}, create("thead", {}, head), create("tbody", {}, ...body));
  // a box that scrolls must be reachable by keyboard
  const box = create("div", { className: "rows", tabIndex: 0, role: "region" }, table);
  box.ariaLabel = `Rows: ${label}`;
  return box;
}

const panels: readonly Panel[] = [new Panel("naive", showPending), new Panel("shelfleet", showPending)];

/** Says on every tab that a response will be lost. */
function showPending(): void {
  const isPending = panels.some(({ isArmed }) => isArmed);
  place("pending").textContent = isPending ? "The next response to each program will be lost." : "";
}

function show(job: Job): void {
  place("jobs").replaceChildren(
    ...[...jobs.keys()].map((other) => {
      const button = createButton(other.title, () => show(other));
      if (other === job) button.ariaCurrent = "true";
      return button;
    }),
  );
  const input = create("textarea", { rows: 5, value: job.input ?? "", ariaLabel: "CSV", spellcheck: false });
  input.hidden = job.input === undefined;
  const run = createButton("Run both", async () => {
    run.disabled = true;
    await Promise.all(panels.map((panel) => panel.run(job, input.value)));
    run.disabled = false;
  });
  run.className = "run";
  const lose = createButton(`Lose the next response${job.writes ? " to a write" : ""}`, () => {
    for (const panel of panels) {
      if (!panel.isArmed) loseNext(panel.service, job.writes);
      panel.isArmed = true;
    }
    showPending();
  });
  const change = createButton(job.change.label, () => {
    for (const panel of panels) {
      job.change.apply(panel.service);
      panel.note(`on the service: ${job.change.label}`);
    }
  });
  for (const panel of panels) panel.show(job);
  place("job").replaceChildren(
    create("h2", {}, job.title),
    create("p", { className: "about" }, job.about),
    input,
    create("div", { className: "buttons" }, run, lose, change),
  );
  place("programs").replaceChildren(...panels.map(({ element }) => element));
}

show(pullJob);
