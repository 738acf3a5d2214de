/** Single writes and `modify`: applied, or an error that says what is known. */
import type { CallOptions, Contact, ExpositionInput } from "../../src/index.ts";
import { modify, upsertExpositions } from "../../src/sync/index.ts";
import { must } from "./clock.ts";
import type { Steps } from "./history.ts";
import type { Program } from "./program.ts";
import type { StepContext } from "./step.ts";
import type { Row } from "./truth.ts";

/** Whether an entity has these properties. */
export function hasAll(entity: Row | undefined, wanted: object): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => JSON.stringify(entity?.[name]) === JSON.stringify(value),
  );
}

/** The exposition of a label. No two steps give one label different types. */
export function exposition(label: number): ExpositionInput {
  return { label: `W ${label}`, expositionType: "FRIDGE_DRINKS", productCategories: ["DRINKS"] };
}

/** The writes: the list, the entity afterwards (null if it is deleted), and the call. */
const writesOf = ({ store, fleet }: Program, n: number, call: CallOptions) => {
  const [name, brand, plateNumber, title, note] = [`w${n}`, `m${n}`, `X ${n}`, `t${n}`, `n${n}`];
  const { vehicles, driverAssignments: drivers, inspectionTemplates: templates } = fleet;
  return [
    ["stores", { name }, (_: string, __: Row, id: string) => store.stores.upsert(id, { name }, call)],
    ["vehicles", { brand }, (id: string, now: Row) => vehicles.update(id, { ...now, brand }, call)],
    ["vehicles", null, (id: string) => vehicles.delete(id, call)],
    // not one of the plates that `ensure` looks after
    ["vehicles", { plateNumber }, () => vehicles.create({ plateNumber }, call)],
    ["driverAssignments", { note }, (id: string) => drivers.update(id, { note }, call)],
    ["driverAssignments", null, (id: string) => drivers.release(id, call)],
    ["inspectionTemplates", { title }, (id: string) => templates.update(id, { title, items: [] }, call)],
  ] as const;
};

/** One write. A program that was killed does not know if it was processed, and does not repeat it. */
export async function write(context: StepContext, { op, pick, value }: Steps["write"]): Promise<void> {
  const { program, truth, call, saved, id: by } = context;
  const [list, wanted, send] = writesOf(program, value, call)[op] ?? [];
  if (saved.starts > 1 || list === undefined) return;
  const externalId = context.store(pick);
  const known = list === "stores" ? truth.storeId(externalId) : truth.ids(list)[pick];
  saved.isMissing = known === undefined;
  const id = known ?? "missing";
  const before = truth.read(list, id) ?? {};
  if ((await context.attempt<unknown>(() => send(id, before, externalId))) === undefined) return;
  const own = truth.since(list, saved.start).filter((change) => change.by === by);
  const made = own.filter((change) => change.before === undefined);
  const isPost = "plateNumber" in (wanted ?? {});
  if (isPost) return must(made.length === 1, "a POST creates one entity", list, made);
  const key = known ?? truth.storeId(externalId) ?? "";
  const now = truth.read(list, key);
  const isApplied = wanted === null ? now === undefined : now !== undefined && hasAll(now, wanted);
  const isOther = truth.isDisturbed(`${list} ${key}`, saved.start, by);
  must(isApplied || isOther, "a write that succeeds was applied", list, wanted, now);
}

/** A change of one property, or one more element. A program that was killed runs it again. */
export async function modifyOne(context: StepContext, step: Steps["modify"]): Promise<void> {
  const { program, truth, call, id: by } = context;
  const { part, value } = step;
  const externalId = context.store(step.pick);
  const point = truth.now;
  const key = part === "stores" ? (truth.storeId(externalId) ?? "") : externalId;
  const read = () => (part === "stores" ? [truth.read(part, key) ?? {}] : truth.elements(part, key));
  const before = read();
  const { stores, contacts } = program.store;
  const contact = { name: `m${value}`, phone: "+48 1" };
  const location = contact.name;
  const add = (all: readonly Contact[]) => [...all.filter(({ name }) => name !== contact.name), contact];
  const result = await context.attempt<object>(() =>
    part === "stores"
      ? modify(stores, externalId, () => ({ location }), call)
      : modify(contacts, externalId, add, call),
  );
  // a store that did not exist at the beginning was created by another step
  const subject = key === "" ? part : `${part} ${key}`;
  if (result === undefined || truth.isDisturbed(subject, point, by)) return;
  const after = read();
  const isChanged = hasAll(after[0], { ...before[0], location });
  if (part === "stores") return must(isChanged, "G-8: the other properties are kept", before, after);
  const others = before.filter(({ name }) => name !== contact.name);
  // a replaced list may get new IDs
  const olds = others.map(({ contactId: _, createdAt: __, ...old }) => old);
  const isKept = olds.every((old) => after.some((now) => hasAll(now, old)));
  const isAdded = after.length === others.length + 1 && after.some((now) => hasAll(now, contact));
  must(isKept && isAdded, "G-8: one element is added, and the others are kept", before, after);
}

/** `upsertExpositions`, again and again: no exposition is created twice. */
export async function upsertAll(context: StepContext, { pick, labels }: Steps["expositions"]): Promise<void> {
  const externalId = context.store(pick);
  const { program, call } = context;
  const sent = labels.map(exposition);
  const result = await context.attempt(() => upsertExpositions(program.store, externalId, sent, call));
  const isWhole = sent.every(({ label }) => result?.items.some((item) => item.label === label));
  must(result === undefined || isWhole, "upsertExpositions returns all expositions", result, labels);
  requireUnique(context);
}

/** No exposition of the plans and upserts occurs twice in its store. */
export function requireUnique({ truth }: StepContext): void {
  for (const externalId of truth.ids("expositions")) {
    const all = truth.elements("expositions", externalId).map(({ label }) => String(label));
    const own = all.filter((label) => /^W \d$/.test(label));
    must(new Set(own).size === own.length, "G-9: no exposition is created twice", externalId, own);
  }
}
