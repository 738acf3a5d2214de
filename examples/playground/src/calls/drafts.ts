import type { Draft } from "../call-arguments.ts";
import { isRecord, isRecordOf, isString, keptSignal } from "../kept-signal.ts";
import type { Operation } from "../operations.ts";
import { prefilled } from "../prefill.ts";
import { server } from "../server.ts";

/** The input of the forms by operation. It is kept while another operation is shown, and over a reload. */
const drafts = keptSignal<Record<string, Draft>>("drafts", {}, areDrafts);

function areDrafts(value: unknown): value is Record<string, Draft> {
  return isRecordOf(value, isDraft);
}

function isDraft(value: unknown): value is Draft {
  return isRecord(value) && isString(value.body) && isRecordOf(value.values, isString);
}

// another server has other data
let known = server.peek();
server.subscribe((current) => {
  if (current !== known) drafts.value = {};
  known = current;
});

/** The form of an operation: as it was left, or as it begins. */
export function draftOf(operation: Operation): Draft {
  return drafts.value[operation.id] ?? prefilled(operation);
}

export function changeDraft(operation: Operation, change: Partial<Draft>): void {
  drafts.value = { ...drafts.value, [operation.id]: { ...draftOf(operation), ...change } };
}

/** Gives a form the ids and the example that it would begin with now. */
export function resetDraft({ id }: Operation): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}
