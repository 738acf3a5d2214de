/** The jobs that write: plans and `ensure`. Run again, also after a kill, they create nothing twice. */
import { applyPlan, type DesiredStore, ensure, planStores, type StorePlan } from "../../src/sync/index.ts";
import { settle } from "../sync/service.ts";
import { must } from "./clock.ts";
import type { Steps } from "./history.ts";
import type { StepContext } from "./step.ts";
import type { Row } from "./truth.ts";
import { exposition, hasAll, requireUnique } from "./writes.ts";

const isDone = (outcome: string): boolean => outcome === "done" || outcome === "unchanged";

/** Plans and applies; the plan is saved in between. `isKept`: the same plan is applied again after a kill. */
export async function plan(context: StepContext, step: Steps["plan"]): Promise<void> {
  const { program, call, saved, truth, id: by } = context;
  const desired = step.rows.map(({ pick, value, contacts, labels }) => ({
    externalId: pick > 5 ? `S-p${pick}` : `S-${pick + 1}`,
    location: `p${value}`,
    contacts: Array.from({ length: contacts }, (_, n) => ({ name: `p${n}`, phone: `+48 ${value}` })),
    expositions: labels.map(exposition),
  })) satisfies DesiredStore[];
  const options = { ...call, concurrency: step.concurrency };
  const start = truth.now;
  const known = step.isKept && saved.plan !== undefined ? (JSON.parse(saved.plan) as StorePlan) : undefined;
  const planned = known ?? (await context.attempt(() => planStores(desired, program.store, options)));
  if (planned === undefined) return;
  const own = truth.changes.slice(start).filter((change) => change.by === by);
  must(own.length === 0, "planStores writes nothing", own);
  const text = JSON.stringify(planned);
  await context.save(() => void (saved.plan = text));
  const shown: number[] = [];
  const onResult = ({ row }: { row: number }): void => void shown.push(row);
  const sound = JSON.parse(text) as StorePlan; // as it was planned
  const results = await context.attempt(() =>
    settle(applyPlan(program.store, sound, { ...options, onResult })),
  );
  requireUnique(context);
  if (results === undefined) return;
  const rows = results.map(({ row }) => row);
  must(rows.join() === [...desired.keys()].join(), "a plan has a result for each row, in order", results);
  must(shown.toSorted((a, b) => a - b).join() === rows.join(), "onResult is called once for each row", shown);
  for (const { externalId, outcome, row, error } of results) {
    const { location, contacts, expositions } = desired[row] as (typeof desired)[number]; // checked above
    program.inspect(error, "the error of a row");
    must(isDone(outcome) || error !== undefined, "a row that is not done has an error", outcome);
    must(isDone(outcome) || !context.isCalm, "a row fails for a reason", externalId, outcome, String(error));
    const id = truth.storeId(externalId) ?? "";
    const keys = [`stores ${id}`, `contacts ${externalId}`, `expositions ${externalId}`];
    if (!isDone(outcome) || keys.some((key) => truth.isDisturbed(key, start, by))) continue;
    must(hasAll(truth.read("stores", id), { location }), "a store that is done is as desired", externalId);
    const people = truth.elements("contacts", externalId);
    const isThere = contacts.every((wanted) => people.some((one) => hasAll(one, wanted)));
    const isSame = isThere && people.length === contacts.length;
    must(isSame, "the contacts of a row that is done are as desired", externalId, outcome, people, contacts);
    const labels = truth.elements("expositions", externalId).map(({ label }) => label);
    const hasLabels = expositions.every(({ label }) => labels.includes(label));
    must(hasLabels, "the expositions of a row that is done are as desired", externalId, labels, expositions);
  }
}

const keys = { vehicles: "plateNumber", vehicleGroups: "name", damages: "description" } as const;

/** Creates what is missing, and changes what differs; some plates are those of the seeded data. */
export async function ensureAll(context: StepContext, step: Steps["ensure"]): Promise<void> {
  const { program, call, truth, id: by } = context;
  const { on, value, concurrency } = step;
  const key = keys[on];
  const isSeeded = (n: number): boolean => on === "vehicles" && n > 3;
  const nameOf = (n: number): string => (isSeeded(n) ? `KR ${10_001 + (n - 4) * 3}` : `W ${n}`);
  const others = on === "vehicles" ? { brand: `e${value}` } : {};
  const desired: Row[] = step.rows.map((n) => ({ [key]: nameOf(n), ...others }));
  const start = truth.now;
  const before = new Map(truth.ids(on).map((id) => [id, truth.read(on, id)]));
  const dryRun = value === 5;
  const options = { ...call, key, concurrency, runtime: program.runtime, dryRun, sink: "none" } as const;
  const resource = program.fleet[on] as typeof program.fleet.vehicles; // all three have these methods
  const results = await context.attempt(() => settle(ensure(resource, desired, options)));
  const rows = truth.ids(on).map((id) => truth.read(on, id) ?? {});
  const own = rows.map((row) => String(row[key])).filter((name) => name.startsWith("W "));
  must(new Set(own).size === own.length, "G-9: ensure creates nothing twice", own);
  const isWritten = truth.changes.slice(start).some((change) => change.by === by);
  must(!dryRun || !isWritten, "a dry run writes nothing");
  must(results === undefined || results.length === desired.length, "ensure has a result for each row");
  for (const [index, { outcome, id, error, isListed }] of (results ?? []).entries()) {
    const wanted = desired[index] ?? {};
    program.inspect(error, "the error of a row");
    must(isDone(outcome) || dryRun || error !== undefined, "a row that is not done has an error", outcome);
    const isFine = (isDone(outcome) || dryRun) && isListed !== false;
    must(isFine || !context.isCalm, "a row fails only for a reason", wanted, outcome, String(error));
    if (!isDone(outcome) || truth.isDisturbed(on, start, by)) continue;
    const found = rows.filter((row) => row[key] === wanted[key]);
    const all = { ...before.get(id ?? ""), ...wanted };
    const isRight = found.length === 1 && found[0]?.["id"] === id && hasAll(found[0], all);
    must(isRight, "the entity of a row that is done is as desired", outcome, id, all, found);
  }
}
