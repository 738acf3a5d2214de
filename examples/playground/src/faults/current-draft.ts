import { computed } from "@preact/signals";
import { isRecord, isRecordOf, isString, keptSignal } from "../kept-signal.ts";
import { findOperation } from "../operations.ts";
import { routeOperations } from "../route.ts";
import { effectsFor, type FaultDraft, placesFor } from "./fault-draft.ts";

const initial: FaultDraft = {
  operation: "*",
  effect: "status",
  status: "503",
  headers: "",
  body: "",
  ms: "1000",
  at: "",
  times: "1",
  skip: "",
  rate: "",
  path: {},
  query: {},
  requestHeaders: "",
  requestBody: "",
};

/** The input of the form, and whether its operation was chosen there or follows the view. */
const edited = keptSignal<{ draft: FaultDraft; isChosen: boolean }>(
  "fault",
  { draft: initial, isChosen: false },
  isEdited,
);

function isEdited(value: unknown): value is { draft: FaultDraft; isChosen: boolean } {
  if (!isRecord(value) || !isRecord(value.draft)) return false;
  const { path, query, ...texts } = value.draft;
  const areTexts = Object.keys(initial).every((name) => name === "path" || name === "query" || name in texts);
  return areTexts && [path, query, texts].every((part) => isRecordOf(part, isString));
}

/** The form of a fault. Until an operation is chosen in it, it has the operation of the view. */
export const faultDraft = computed<FaultDraft>(() => {
  const { draft, isChosen } = edited.value;
  const operation = isChosen ? draft.operation : (routeOperations.value[0]?.id ?? "*");
  return repairDraft({ ...draft, operation }, draft.operation);
});

export function changeFault(change: Partial<FaultDraft>): void {
  const isChosen = edited.value.isChosen || change.operation !== undefined;
  const before = faultDraft.value;
  edited.value = { draft: repairDraft({ ...before, ...change }, before.operation), isChosen };
}

/** Returns the choices of the form for an operation and an effect. */
export function possible({ operation: id, effect }: Pick<FaultDraft, "operation" | "effect">) {
  const operation = findOperation(id);
  return {
    effects: effectsFor(operation?.call.split(".")[1]?.startsWith("list") === true),
    places: placesFor(effect, operation?.method ?? "GET"),
  };
}

/** Replaces choices that are no longer possible, and removes the matcher of another operation. */
function repairDraft(draft: FaultDraft, before: FaultDraft["operation"]): FaultDraft {
  const { effects } = possible(draft);
  const effect = effects.some(([known]) => known === draft.effect) ? draft.effect : "status";
  const { places } = possible({ ...draft, effect });
  const matcher = draft.operation === before ? {} : { path: {}, query: {}, requestBody: "" };
  return { ...draft, ...matcher, effect, at: places.some(([known]) => known === draft.at) ? draft.at : "" };
}
