interface Field {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A choice with its label above. */
export function ChoiceField(
  props: Field & { choices: readonly (readonly [value: string, title: string])[] },
) {
  const { label, value, choices, onChange } = props;
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {choices.map(([choice, title]) => (
          <option key={choice} value={choice}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Several lines of text with their label above. */
export function TextField({ label, value, placeholder, onChange }: Field & { placeholder: string }) {
  return (
    <label>
      {label}
      <textarea
        rows={2}
        spellcheck={false}
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

interface Bounds {
  min: number;
  max?: number;
  step?: "any";
  required?: boolean;
}

/** A number with its label above; the browser checks its bounds. */
export function NumberField(props: Field & Bounds) {
  const { label, value, onChange, ...bounds } = props;
  return (
    <label>
      {label}
      <input
        type="number"
        {...bounds}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}
