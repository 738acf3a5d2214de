import { signal } from "@preact/signals";
import { noteChange, server, withdrawFaults } from "../server.ts";
import { applyFault, type FaultDraft } from "./fault.ts";

interface SetFault extends FaultDraft {
  id: number;
  /** How many requests of its operation came before it. */
  before: number;
}

/** The faults that are set on the server. */
export const faults = signal<readonly SetFault[]>([]);

// a new server knows of none
server.subscribe(() => {
  faults.value = [];
});

let count = 0;

export function setFault(draft: FaultDraft): void {
  count += 1;
  applyFault(server.value, draft);
  const before = server.value.journal.of(draft.operation).length;
  faults.value = [...faults.value, { ...draft, id: count, before }];
  noteChange();
}

export function withdrawAll(): void {
  withdrawFaults();
  faults.value = [];
}
