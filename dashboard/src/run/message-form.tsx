import { useId, useState } from 'react';
import { client } from '../access/browser-access.ts';
import { useRight } from '../access/use-access.ts';
import { useAction } from '../actions/use-action.ts';
import { ActionNote } from '../parts/action-button.tsx';

/** Says something to the running agent; the timeline tells whether it could listen. */
export function MessageForm({ issue }: { issue: string }) {
  const [text, setText] = useState('');
  const id = useId();
  const mayAct = useRight() === 'act';
  const { state, start } = useAction(async () => {
    await client.act('message', { issue, text, by: 'dashboard' });
    setText('');
  });
  return (
    <form
      className="message-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') start();
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        Message to the agent
      </label>
      <input
        id={id}
        className="field"
        value={text}
        placeholder="Message to the agent"
        disabled={!mayAct}
        onChange={(event) => setText(event.target.value)}
      />
      <button
        type="submit"
        className="button"
        disabled={text.trim() === '' || state.kind === 'asking' || !mayAct}
      >
        Send
      </button>
      <ActionNote state={state} />
      {state.kind === 'done' && (
        <span className="action-note">Handed over; the timeline says whether it was heard.</span>
      )}
    </form>
  );
}
