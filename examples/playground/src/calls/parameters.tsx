import { clientName, type Draft } from "../call-arguments.ts";
import type { Operation } from "../operations.ts";
import { changeDraft } from "./drafts.ts";
import { ParameterField } from "./parameter-field.tsx";

const TITLES = { path: "Path", query: "Query" };

/** The fields of an operation's path ids and query. */
export function Parameters({ operation, draft }: { operation: Operation; draft: Draft }) {
  return (["path", "query"] as const).map((place) => {
    const parameters = operation.parameters.filter((parameter) => parameter.in === place);
    if (parameters.length === 0) return null;
    return (
      <fieldset key={place}>
        <legend>{TITLES[place]}</legend>
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.name}
            parameter={parameter}
            name={clientName(parameter)}
            value={draft.values[parameter.name] ?? ""}
            onChange={(value) =>
              changeDraft(operation, { values: { ...draft.values, [parameter.name]: value } })
            }
          />
        ))}
      </fieldset>
    );
  });
}
