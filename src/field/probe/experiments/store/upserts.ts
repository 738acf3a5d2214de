import { expositionTypes } from "../../../../../generated/store.enums.ts";
import { type Control, control } from "../../controls.ts";
import { type Exchange, isOk, rowsOf } from "../../exchange.ts";
import type { ExperimentTools } from "../../experiment-tools.ts";
import { Missing } from "../../failures.ts";
import type { JsonObject } from "../../../../wire/json.ts";
import type { ScratchStore } from "../../scratch.ts";
import { inputsOf } from "../../store-inputs.ts";
import { isSameUuid } from "./identity.ts";
import { NEW_STORE, scratchOf, updatableStore } from "./writes.ts";

/*
 * All of these experiments except the last create expositions, which cannot be removed, so they run only on a scratch
 * store that the run created. A response to an upsert contains at least the sent elements, under every reading of
 * `expositions.response`.
 */

/** Returns four types, others each time: expositions of an earlier attempt may still exist. */
export function chooseTypes(tools: ExperimentTools): readonly [string, string, string, string] {
  const start = (Number.parseInt(tools.uuid().slice(0, 4), 16) % 8) * 4;
  const [a = "", b = "", c = "", d = ""] = expositionTypes.slice(start, start + 4);
  return [a, b, c, d];
}

export function element(
  label: string,
  expositionType: string,
  categories: readonly string[] = [],
): JsonObject {
  return { label, friendlyTitle: null, productCategories: categories, expositionType, status: "active" };
}

export function byId(rows: readonly JsonObject[], { expositionId }: JsonObject): JsonObject | undefined {
  return rows.find((row) => isSameUuid(row.expositionId, String(expositionId)));
}

export function find(exchange: Exchange, label: string, type: string): JsonObject | undefined {
  return rowsOf(exchange).find((row) => row.label === label && row.expositionType === type);
}

/** Returns the store with the control of its updates. @throws {Missing} if the run did not create its scratch store */
export async function newStore(tools: ExperimentTools): ReturnType<typeof updatableStore> {
  if ((await scratchOf(tools)).isNew) return updatableStore(tools);
  throw new Missing(NEW_STORE);
}

/** The state of three expositions after an upsert that named the first without its title, and disabled the third. */
interface Upsert {
  readonly scratch: ScratchStore;
  readonly types: readonly [string, string, string, string];
  readonly a: JsonObject;
  readonly b: JsonObject;
  readonly disabled: JsonObject;
  readonly created: Exchange;
  readonly put: Exchange;
  readonly after: Exchange;
  /** The list after the upsert shows what it changed, and updates of the store are stored. */
  readonly isApplied: Control;
}

const TAKING = "a scratch store that takes expositions";

/** Creates three expositions and upserts two of them, once in a round. */
export async function upsert(tools: ExperimentTools): Promise<Upsert> {
  const { scratch, isStored } = await newStore(tools);
  return tools.once("upsert", () => sendUpsert(tools, scratch, isStored));
}

async function sendUpsert(tools: ExperimentTools, scratch: ScratchStore, isStored: Control): Promise<Upsert> {
  const id = tools.uuid().slice(0, 4);
  const types = chooseTypes(tools);
  const [typeA, typeB, , typeD] = types;
  const created = await scratch.lists.put("expositions", [
    { ...element(`Probe A ${id}`, typeA), friendlyTitle: tools.marker },
    element(`Probe B ${id}`, typeB),
    element(`Probe E ${id}`, typeD),
  ]);
  const [a, b, disabled] = [
    find(created, `Probe A ${id}`, typeA),
    find(created, `Probe B ${id}`, typeB),
    find(created, `Probe E ${id}`, typeD),
  ];
  if (!isOk(created) || !a || !b || !disabled) throw new Missing(TAKING);
  const [{ friendlyTitle: _, ...untitled } = {}] = inputsOf("expositions", [a]);
  const both = await scratch.lists.put("expositions", [untitled, withStatus(disabled, "disabled")]);
  const put = isOk(both) ? both : await scratch.lists.put("expositions", [untitled]);
  const after = await scratch.lists.read("expositions");
  if (!isOk(put) || !isOk(after)) throw new Missing(TAKING);
  const isChanged = !isOk(both) || byId(rowsOf(after), disabled)?.status !== "active";
  const isApplied = control("the list shows what an upsert changed", isStored.holds && isChanged);
  return { scratch, types, a, b, disabled, created, put, after, isApplied };
}

export function withStatus(exposition: JsonObject, status: string): JsonObject {
  return { ...inputsOf("expositions", [exposition])[0], status };
}
