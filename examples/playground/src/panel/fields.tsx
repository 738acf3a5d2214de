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

/** A number with its label above; what it bounds the browser says. */
export function NumberField(props: Field & { min: number; max?: number; required?: boolean }) {
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
