import { effect, signal } from "@preact/signals";
import type { Draft } from "../call-arguments.ts";
import type { Operation } from "../operations.ts";
import { prefilled } from "../prefill.ts";
import { server } from "../server.ts";

/** The content of the forms, kept while another form is shown. */
const drafts = signal<Record<string, Draft>>({});

// another server has other data
effect(() => {
  void server.value;
  drafts.value = {};
});

/** The form of an operation: as it was left, or as it begins. */
export function draftOf(operation: Operation): Draft {
  return drafts.value[operation.id] ?? prefilled(operation);
}

export function changeDraft(operation: Operation, change: Partial<Draft>): void {
  drafts.value = { ...drafts.value, [operation.id]: { ...draftOf(operation), ...change } };
}

/** Gives a form the ids and the example that it would begin with now. */
export function prefillAgain({ id }: Operation): void {
  const { [id]: _, ...others } = drafts.value;
  drafts.value = others;
}
