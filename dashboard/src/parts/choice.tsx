import { useId } from 'react';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  onChoose(value: string): void;
}

export function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const id = useId();
  // A choice that a link brought and that is not offered any more is shown all the same.
  const known = options.some(([own]) => own === value);
  return (
    <span className="choice">
      <label htmlFor={id}>{label}</label>
      <select id={id} className="field" value={value} onChange={(event) => onChoose(event.target.value)}>
        {!known && <option value={value}>{value}</option>}
        {options.map(([own, text]) => (
          <option key={own} value={own}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}
