import type { Job, Outcome } from "./job.ts";
import { ensureJob } from "./jobs/ensure.ts";
import { text as ensureSource } from "./jobs/ensure.ts?text";
import { mirrorJob } from "./jobs/mirror.ts";
import { text as mirrorSource } from "./jobs/mirror.ts?text";
import { planJob } from "./jobs/plan.ts";
import { text as planSource } from "./jobs/plan.ts?text";
import { pullJob } from "./jobs/pull.ts";
import { text as pullSource } from "./jobs/pull.ts?text";
import { createClients, type Event, loseNext, ref } from "./service.ts";

/** The jobs with their sources, so that the page shows what it runs. */
const jobs = new Map<Job, string>([
  [pullJob, pullSource],
  [mirrorJob, mirrorSource],
  [planJob, planSource],
  [ensureJob, ensureSource],
]);

const place = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
};
const timeline = place("timeline");
const clients = createClients(addEvent);

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

function note(text: string): void {
  place("empty").hidden = true;
  timeline.append(create("li", { className: "note" }, text));
}

function addEvent(event: Event): void {
  if (event.kind === "note") return note(event.text);
  place("empty").hidden = true;
  const answer = create("span", {}, "…");
  timeline.append(create("li", {}, create("span", {}, event.sent), answer));
  void event.answered.then(({ text, isLost }) => {
    answer.textContent = text;
    answer.classList.toggle("lost", isLost);
  });
}

/** The part of the source between `// shown` and `// end`. */
function shownPart(source: string): string {
  return /^\/\/ shown\n(.*?)^\/\/ end$/ms.exec(source)?.[1]?.trimEnd() ?? "";
}

function createTable({ rows }: Outcome): HTMLElement {
  const names = Object.keys(rows[0] ?? {});
  const head = create("tr", {}, ...names.map((name) => create("th", { scope: "col" }, name)));
  const body = rows.map((row) => create("tr", {}, ...names.map((name) => create("td", {}, row[name] ?? ""))));
  const table = create("table", {}, create("thead", {}, head), create("tbody", {}, ...body));
  // a box that scrolls must be reachable by keyboard
  return create("div", { className: "rows", tabIndex: 0, role: "region", ariaLabel: "Rows" }, table);
}

function show(job: Job): void {
  timeline.replaceChildren();
  place("empty").hidden = false;
  place("jobs").replaceChildren(
    ...[...jobs.keys()].map((other) => {
      const button = createButton(other.title, () => show(other));
      if (other === job) button.ariaCurrent = "true";
      return button;
    }),
  );
  const input = create("textarea", { rows: 5, value: job.input ?? "", ariaLabel: "CSV", spellcheck: false });
  input.hidden = job.input === undefined;
  const result = create("div", { role: "status" });
  const run = createButton("Run", async () => {
    run.disabled = true;
    note("run");
    try {
      const outcome = await job.run(clients, input.value);
      result.replaceChildren(create("p", {}, outcome.summary), createTable(outcome));
    } catch (error) {
      result.replaceChildren(create("p", {}, String(error)));
    }
    run.disabled = false;
  });
  run.className = "run";
  const lose = createButton("Lose the next response", () => {
    loseNext(job.writes);
    note(`the response to the next ${job.writes ? "write" : "request"} will be lost`);
  });
  const change = createButton(job.change.label, () => {
    job.change.apply(ref);
    note(`on the service: ${job.change.label}`);
  });
  place("job").replaceChildren(
    create("h2", {}, job.title),
    create("p", { className: "about" }, job.about),
    create(
      "pre",
      { tabIndex: 0, role: "region", ariaLabel: "Code" },
      create("code", {}, shownPart(jobs.get(job) ?? "")),
    ),
    input,
    create("div", { className: "buttons" }, run, lose, change),
    result,
  );
}

show(pullJob);
