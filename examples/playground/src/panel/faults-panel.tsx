import { useState } from "preact/hooks";
import { findOperation, operations } from "../operations.ts";
import { route } from "../route.ts";
import { changes, server } from "../server.ts";
import { type FaultDraft, faultCode } from "./fault.ts";
import { FaultFields } from "./fault-fields.tsx";
import { faults, setFault, withdrawAll } from "./set-faults.ts";

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
          setFault(draft);
        }}
      >
        <FaultFields draft={draft} onChange={setDraft} />
        <pre class="inline">
          <code>{faultCode(draft)}</code>
        </pre>
        <div class="actions">
          <button type="submit" class="primary">
            Set the fault
          </button>
          <button type="button" class="quiet" disabled={faults.value.length === 0} onClick={withdrawAll}>
            Remove all
          </button>
        </div>
      </form>
      <FaultList />
    </section>
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
