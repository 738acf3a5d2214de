import type { Parameter } from "../../build/operation.ts";
import { Prose } from "../prose.tsx";

interface Props {
  parameter: Parameter;
  /** The name of the parameter in the client. */
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
          {!required && <option value="">{omittedText(parameter)}</option>}
          {values.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...described}
          // the error of the client describes what is wrong with a value
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
  if (parameter.required) return parameter.example;
  return parameter.default === null ? `omitted; example: ${parameter.example}` : omittedText(parameter);
}

function omittedText({ default: usual }: Parameter): string {
  return usual === null ? "omitted" : `omitted (default: ${usual})`;
}

function boundsOf({ minimum, maximum }: Parameter): string {
  if (minimum === null) return "";
  return maximum === null ? `At least ${minimum}.` : `${minimum} to ${maximum}.`;
}
