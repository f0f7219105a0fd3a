import { useId } from 'react';
import type { TrackerBoard } from '../../../src/contract/tracker-issues.ts';
import type { Draft } from './issue-draft.ts';

interface IssueFieldsProps {
  readonly draft: Draft;
  readonly states: TrackerBoard['states'];
  readonly readOnly: boolean;
  onChange(draft: Draft): void;
}

export function IssueFields({ draft, states, readOnly, onChange }: IssueFieldsProps) {
  const id = useId();
  const known = states.some(({ name }) => name === draft.state);
  const field = (name: keyof Draft) => ({
    id: `${id}-${name}`,
    className: 'field',
    value: draft[name],
    disabled: readOnly,
    onChange: (event: { readonly target: { readonly value: string } }) =>
      onChange({ ...draft, [name]: event.target.value }),
  });
  return (
    <div className="issue-fields">
      <label htmlFor={`${id}-title`}>Title</label>
      <input {...field('title')} required maxLength={500} />
      <label htmlFor={`${id}-state`}>State</label>
      <select {...field('state')}>
        {!known && <option value={draft.state}>{draft.state}</option>}
        {states.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <label htmlFor={`${id}-priority`}>Priority (1 is the most urgent)</label>
      <input {...field('priority')} type="number" min={0} max={999_999_999} step={1} />
      <label htmlFor={`${id}-labels`}>Labels, separated by commas</label>
      <input {...field('labels')} />
      <label htmlFor={`${id}-description`}>Description</label>
      <textarea {...field('description')} rows={10} maxLength={200_000} />
    </div>
  );
}
