import { bodyFault, type Draft } from "../call-arguments.ts";
import type { Operation } from "../operations.ts";
import { exampleBody } from "../prefill.ts";
import { Prose } from "../prose.tsx";
import { changeDraft } from "./drafts.ts";

/** The JSON body, filled in from an example of the OpenAPI document, and a list of its properties. */
export function BodyField({ operation, draft }: { operation: Operation; draft: Draft }) {
  const fault = bodyFault(operation, draft);
  return (
    <div class="field body">
      <label for="body">
        {operation.body?.argument ?? "body"} <span class="required">required, JSON</span>
      </label>
      <Examples operation={operation} draft={draft} />
      <textarea
        id="body"
        spellcheck={false}
        rows={Math.min(Math.max(draft.body.split("\n").length, 4), 18)}
        value={draft.body}
        aria-describedby="body-note"
        aria-invalid={fault !== undefined}
        onInput={({ currentTarget }) => changeDraft(operation, { body: currentTarget.value })}
      />
      <p class={fault === undefined ? "note" : "fault"} id="body-note">
        {fault ?? operation.body?.description}
      </p>
      <Properties operation={operation} />
    </div>
  );
}

function Examples({ operation, draft }: { operation: Operation; draft: Draft }) {
  const examples = operation.body?.examples ?? [];
  if (examples.length < 2) return null;
  return (
    <div class="examples" role="group" aria-label="Example bodies">
      {examples.map(({ name, summary }, index) => (
        <button
          type="button"
          class="quiet"
          key={name}
          onClick={() => changeDraft(operation, { body: exampleBody(operation, index, draft.values) })}
        >
          {summary}
        </button>
      ))}
    </div>
  );
}

function Properties({ operation }: { operation: Operation }) {
  const argument = operation.body?.argument ?? "";
  const prefix = argument === "" ? "" : `${argument}[].`;
  const properties = (operation.body?.properties ?? []).filter(
    ({ name }) => name.startsWith(prefix) && name !== argument,
  );
  if (properties.length === 0)
    return <p class="note">The contract does not list the properties of the body.</p>;
  return (
    <details>
      <summary>{properties.length === 1 ? "1 property" : `${properties.length} properties`}</summary>
      <dl class="properties">
        {properties.map(({ name, type, required, description }) => (
          <div key={name}>
            <dt>
              <code>{name.slice(prefix.length)}</code>
              {required && <span class="required"> required</span>}
            </dt>
            <dd>
              <code>{type}</code> <Prose text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
