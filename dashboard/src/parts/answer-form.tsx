import { useId, useState } from 'react';
import { useAction } from '../actions/use-action.ts';
import { client } from '../feed/browser-feed.ts';
import { ActionNote } from './action-button.tsx';

/** Answers the question an issue is blocked on. */
export function AnswerForm({ issue }: { issue: string }) {
  const [text, setText] = useState('');
  const id = useId();
  const { state, start } = useAction(async () => {
    await client.act('answer', { issue, text, by: 'dashboard' });
    setText('');
  });
  return (
    <div className="answer">
      <label htmlFor={id}>Your answer</label>
      <textarea id={id} rows={2} value={text} onChange={(event) => setText(event.target.value)} />
      <button
        type="button"
        className="button"
        onClick={start}
        disabled={text.trim() === '' || state.kind === 'asking'}
      >
        Send answer
      </button>
      <ActionNote state={state} />
    </div>
  );
}
