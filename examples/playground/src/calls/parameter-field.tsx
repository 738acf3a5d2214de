import type { Parameter } from "../../build/operation.ts";
import { Prose } from "../prose.tsx";

interface Props {
  parameter: Parameter;
  /** What the client calls it. */
  name: string;
  value: string;
  onChange: (value: string) => void;
}

/** One path or query parameter: a text field, or a choice if the document lists the values. */
export function ParameterField({ parameter, name, value, onChange }: Props) {
  const { type, choices, required } = parameter;
  const id = `parameter-${parameter.name}`;
  const described = { id, "aria-describedby": `${id}-note`, required };
  const values = type === "boolean" ? ["true", "false"] : choices;
  return (
    <div class="field">
      <label for={id}>
        {name}
        {required && <span class="required"> required</span>}
      </label>
      {values.length > 0 ? (
        <select {...described} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {!required && (
            <option value="">
              {parameter.default === null ? "left out" : `left out (${parameter.default})`}
            </option>
          )}
          {values.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...described}
          // the client's own error says what is wrong with a value
          type="text"
          autocomplete="off"
          spellcheck={false}
          inputMode={type === "string" ? "text" : "decimal"}
          placeholder={placeholderOf(parameter)}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      <p class="note" id={`${id}-note`}>
        <Prose text={parameter.description} /> {boundsOf(parameter)}
      </p>
    </div>
  );
}

function placeholderOf(parameter: Parameter): string {
  if (parameter.default !== null) return `left out (${parameter.default})`;
  return parameter.required ? parameter.example : `left out; such as ${parameter.example}`;
}

function boundsOf({ minimum, maximum }: Parameter): string {
  if (minimum === null) return "";
  return maximum === null ? `From ${minimum} on.` : `${minimum} to ${maximum}.`;
}
