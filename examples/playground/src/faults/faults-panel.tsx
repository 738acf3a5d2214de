import { useState } from "preact/hooks";
import { errorMessage } from "../error-message.ts";
import { changes, recordChange, server } from "../server.ts";
import { type FaultDraft, planOfDraft } from "./fault-draft.ts";
import { FaultFields } from "./fault-fields.tsx";
import { applyPlan, planCode, planScope } from "./fault-plan.ts";
import { faultDraft } from "./current-draft.ts";

/** The form that adds a fault, and the list of active faults. */
export function FaultsPanel() {
  const draft = faultDraft.value;
  // the error of the server, until the form changes
  const [rejected, setRejected] = useState<{ draft: FaultDraft; message: string } | null>(null);
  const plan = planOfDraft(draft);
  const problem = "problem" in plan ? plan.problem : rejected?.draft === draft && rejected.message;
  return (
    <section class="faults">
      <h2>Faults</h2>
      <p class="note">
        A fault replaces or changes the response, like a faulty proxy. The clients retry if that is safe.
      </p>
      <form
        aria-label="New fault"
        onSubmit={(event) => {
          event.preventDefault();
          if ("problem" in plan) return;
          try {
            applyPlan(server.value, plan);
          } catch (error) {
            setRejected({ draft, message: errorMessage(error) });
          }
          recordChange();
        }}
      >
        <FaultFields draft={draft} />
        {!("problem" in plan) && <Code code={planCode(plan)} />}
        <p class="fault" role="alert">
          {problem}
        </p>
        <div class="actions">
          <button type="submit" class="primary" disabled={"problem" in plan}>
            Add the fault
          </button>
        </div>
      </form>
      <FaultList />
    </section>
  );
}

function Code({ code }: { code: string }) {
  return (
    <pre class="inline" tabIndex={0} role="region" aria-label="The fault in TypeScript">
      <code>{code}</code>
    </pre>
  );
}

/** The active faults of the server. */
function FaultList() {
  void changes.value;
  const { overrides } = server.value;
  const pending = overrides.all();
  if (pending.length === 0) return <p class="note">No fault is active.</p>;
  return (
    <>
      <h3>Active faults</h3>
      <ul class="set-faults" aria-label="Active faults">
        {pending.map((fault) => (
          <li key={fault.id}>
            <code>{planCode(fault)}</code> <span class="meaning">{planScope(fault)}</span>{" "}
            <button
              type="button"
              class="quiet"
              aria-label={`Remove fault ${fault.id}`}
              onClick={() => {
                overrides.remove(fault.id);
                recordChange();
              }}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button
          type="button"
          class="quiet"
          onClick={() => {
            overrides.clear();
            recordChange();
          }}
        >
          Remove all
        </button>
      </div>
    </>
  );
}
