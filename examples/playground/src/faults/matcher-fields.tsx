import { useState } from "preact/hooks";
import { findOperation, type Operation } from "../operations.ts";
import { TextField } from "../panel/fields.tsx";
import type { FaultDraft } from "./fault-draft.ts";
import { changeFault } from "./current-draft.ts";

/** The fields of the matcher of `ref.on`, which selects the requests that a fault applies to. */
export function MatcherFields({ draft }: { draft: FaultDraft }) {
  const operation = findOperation(draft.operation);
  // only the initial state: the details must not close when a field is emptied
  const [isOpen] = useState(() => isGiven(draft));
  return (
    <details open={isOpen}>
      <summary>Apply only to matching requests</summary>
      <p class="note">
        The fault applies to requests that match every field. An empty field matches every request. In code, a
        matcher can also have a function, <code>when</code>.
      </p>
      {operation !== undefined && <ParameterFields operation={operation} draft={draft} />}
      <div class="grid">
        <TextField
          label="Request headers, one per line"
          placeholder="X-Request-Id: 7"
          value={draft.requestHeaders}
          onChange={(requestHeaders) => changeFault({ requestHeaders })}
        />
        {(operation === undefined || operation.body !== null) && (
          <TextField
            label="Request body contains, JSON"
            placeholder='{ "name": "Kiosk 1" }'
            value={draft.requestBody}
            onChange={(requestBody) => changeFault({ requestBody })}
          />
        )}
      </div>
    </details>
  );
}

function ParameterFields({ operation, draft }: { operation: Operation; draft: FaultDraft }) {
  return (
    <div class="grid">
      {operation.parameters.map(({ name, in: place }) => (
        <label key={`${place}.${name}`}>
          {place}.{name}
          <input
            type="text"
            autocomplete="off"
            spellcheck={false}
            placeholder="any"
            value={draft[place][name] ?? ""}
            onInput={({ currentTarget: { value } }) =>
              changeFault({ [place]: { ...draft[place], [name]: value } })
            }
          />
        </label>
      ))}
    </div>
  );
}

function isGiven({ path, query, requestHeaders, requestBody }: FaultDraft): boolean {
  const parameters = [...Object.values(path), ...Object.values(query)];
  return [...parameters, requestHeaders, requestBody].some((value) => value !== "");
}
