import { useId, useState } from 'react';
import { client } from '../access/browser-access.ts';
import { useRight } from '../access/use-access.ts';
import { useAction } from '../actions/use-action.ts';
import { ActionNote } from './action-button.tsx';

/** Answers the question an issue is blocked on. */
export function AnswerForm({ issue }: { issue: string }) {
  const [text, setText] = useState('');
  const id = useId();
  const mayAct = useRight() === 'act';
  const { state, start } = useAction(async () => {
    await client.act('answer', { issue, text, by: 'dashboard' });
    setText('');
  });
  return (
    <div className="answer">
      <label htmlFor={id}>Your answer</label>
      <textarea
        id={id}
        rows={2}
        value={text}
        disabled={!mayAct}
        onChange={(event) => setText(event.target.value)}
      />
      <button
        type="button"
        className="button"
        onClick={start}
        disabled={text.trim() === '' || state.kind === 'asking' || !mayAct}
      >
        Send answer
      </button>
      <ActionNote state={state} />
    </div>
  );
}
