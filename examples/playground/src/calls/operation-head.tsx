import type { FleetOperationId } from "shelfleet";
import { gaps } from "shelfleet/gaps";
import { isFleet, type Operation } from "../operations.ts";
import { showGapsOfView } from "../panel/current-panel.ts";
import { Prose } from "../prose.tsx";
import { scopeRules } from "../scope-rules.ts";

/** The name and route of an operation, its description, its scopes and the number of its gaps. */
export function OperationHead({ operation }: { operation: Operation }) {
  const { id, api, call, method, path, summary, description } = operation;
  const open = operation.gaps.filter((gap) => "readings" in gaps[gap as keyof typeof gaps]);
  return (
    <header class="operation">
      <h2>
        {api}.{call}
      </h2>
      <p class="route">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      <p>
        <Prose text={description || `${summary}.`} />
      </p>
      {isFleet(id) && <Scopes id={id} />}
      {open.length > 0 && (
        <p class="note">
          <button type="button" class="link" onClick={showGapsOfView}>
            {open.length === 1 ? "1 gap" : `${open.length} gaps`}
          </button>{" "}
          of the contract {open.length === 1 ? "affects" : "affect"} this operation.
        </p>
      )}
    </header>
  );
}

function Scopes({ id }: { id: FleetOperationId }) {
  const { sufficient, possiblySufficient } = scopeRules.for(id);
  return (
    <p class="note">
      Required scopes:{" "}
      {sufficient.map((all, index) => (
        <span key={all.join()}>
          {index > 0 && " or "}
          <code>{all.join(" and ")}</code>
        </span>
      ))}
      {possiblySufficient.length > 0 && (
        <>
          ; a gap decides whether <code>{possiblySufficient.join(", ")}</code> is sufficient
        </>
      )}
      .
    </p>
  );
}
