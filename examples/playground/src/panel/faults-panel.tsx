import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { calls } from "../call-table.ts";
import { findOperation, isList, operations } from "../operations.ts";
import { route } from "../route.ts";
import { changes, noteChange, server, withdrawFaults } from "../server.ts";
import { applyFault, type Deed, deedsFor, faultCode, type FaultDraft, placesFor } from "./fault.ts";

interface SetFault extends FaultDraft {
  id: number;
  /** How many requests of its operation came before it. */
  before: number;
}

/** What the server was told, as long as it holds. */
export const faults = signal<readonly SetFault[]>([]);

// a new server knows of none
server.subscribe(() => {
  faults.value = [];
});

let count = 0;

/** Spoils answers of one operation. */
export function FaultsPanel() {
  const current = findOperation(route.value.operation ?? "") ?? operations[0];
  const [draft, setDraft] = useState<FaultDraft>({
    operation: current?.id ?? "listStores",
    deed: "status",
    status: "503",
    ms: "1000",
    at: "",
    times: "1",
  });
  const change = (part: Partial<FaultDraft>): void => setDraft(repaired({ ...draft, ...part }));
  return (
    <section class="faults">
      <h2>Faults</h2>
      <p class="note">
        They stand in front of the API like a broken proxy. The clients try again where that is safe.
      </p>
      <form
        aria-label="A fault"
        onSubmit={(event) => {
          event.preventDefault();
          set(draft);
        }}
      >
        <FaultFields draft={draft} change={change} />
        <pre class="inline">
          <code>{faultCode(draft)}</code>
        </pre>
        <div class="actions">
          <button type="submit" class="primary">
            Set the fault
          </button>
          <button type="button" class="quiet" disabled={faults.value.length === 0} onClick={withdraw}>
            Remove all
          </button>
        </div>
      </form>
      <FaultList />
    </section>
  );
}

function FaultFields({ draft, change }: { draft: FaultDraft; change: (part: Partial<FaultDraft>) => void }) {
  const operation = findOperation(draft.operation);
  const places = placesFor(draft.deed, operation?.method ?? "GET");
  return (
    <div class="grid">
      <label>
        Operation
        <select
          value={draft.operation}
          onChange={({ currentTarget }) =>
            change({ operation: currentTarget.value as FaultDraft["operation"] })
          }
        >
          {operations.map(({ id, api }) => (
            <option key={id} value={id}>{`${api}.${calls[id].method}`}</option>
          ))}
        </select>
      </label>
      <label>
        What happens
        <select
          value={draft.deed}
          onChange={({ currentTarget }) => change({ deed: currentTarget.value as Deed })}
        >
          {deedsFor(operation !== undefined && isList(operation)).map(([deed, title]) => (
            <option key={deed} value={deed}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {draft.deed === "status" && (
        <label>
          Status
          <input
            type="number"
            min={200}
            max={599}
            required
            value={draft.status}
            onInput={({ currentTarget }) => change({ status: currentTarget.value })}
          />
        </label>
      )}
      {draft.deed === "delay" && (
        <label>
          Milliseconds
          <input
            type="number"
            min={0}
            required
            value={draft.ms}
            onInput={({ currentTarget }) => change({ ms: currentTarget.value })}
          />
        </label>
      )}
      {places.length > 1 && (
        <label>
          Where
          <select
            value={draft.at}
            onChange={({ currentTarget }) => change({ at: currentTarget.value as FaultDraft["at"] })}
          >
            {places.map(([at, title]) => (
              <option key={at} value={at}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Requests (empty: until removed)
        <input
          type="number"
          min={1}
          value={draft.times}
          onInput={({ currentTarget }) => change({ times: currentTarget.value })}
        />
      </label>
    </div>
  );
}

function FaultList() {
  void changes.value;
  if (faults.value.length === 0) return <p class="note">No fault is set.</p>;
  return (
    <>
      <h3>Set</h3>
      <ul class="set-faults" aria-label="Faults that are set">
        {faults.value.map((fault) => {
          const met = server.value.journal.of(fault.operation).length - fault.before;
          return (
            <li key={fault.id}>
              <code>{faultCode(fault)}</code>{" "}
              <span class="meaning">
                {met === 1 ? "1 request" : `${met} requests`} of the operation since
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function set(draft: FaultDraft): void {
  count += 1;
  applyFault(server.value, draft);
  faults.value = [
    ...faults.value,
    { ...draft, id: count, before: server.value.journal.of(draft.operation).length },
  ];
  noteChange();
}

function withdraw(): void {
  withdrawFaults();
  faults.value = [];
}

/** A choice that another choice has made impossible gives way. */
function repaired(draft: FaultDraft): FaultDraft {
  const operation = findOperation(draft.operation);
  const deeds = deedsFor(operation !== undefined && isList(operation)).map(([deed]) => deed);
  const deed = deeds.includes(draft.deed) ? draft.deed : "status";
  const places = placesFor(deed, operation?.method ?? "GET").map(([at]) => at);
  return { ...draft, deed, at: places.includes(draft.at) ? draft.at : "" };
}
