import { useState } from 'react';
import { useRight } from '../access/use-access.ts';
import { type ActionState, useAction } from '../actions/use-action.ts';

interface ActionButtonProps {
  readonly label: string;
  /** What it says while the answer is waited for. Default `Asking…`. */
  readonly busy?: string;
  /** What it does, for people who hover or listen. */
  readonly title: string;
  run(): Promise<unknown>;
  /** Asked twice before it is done. */
  readonly confirm?: string;
  /** Set for what everybody may ask who can see the page. */
  readonly free?: boolean;
}

/** A button for one wish; what became of it is said beside it. */
export function ActionButton({
  label,
  busy = 'Asking…',
  title,
  run,
  confirm,
  free = false,
}: ActionButtonProps) {
  const mayAct = useRight() === 'act' || free;
  const { state, start } = useAction(run);
  const [asked, setAsked] = useState(false);
  const press = (): void => {
    if (confirm !== undefined && !asked) {
      setAsked(true);
      return;
    }
    setAsked(false);
    start();
  };
  return (
    <span className="action">
      <button
        type="button"
        className="button"
        onClick={press}
        onBlur={() => setAsked(false)}
        disabled={state.kind === 'asking' || !mayAct}
        title={mayAct ? title : `${title} (${HOW_TO_ACT})`}
      >
        {asked ? confirm : state.kind === 'asking' ? busy : label}
      </button>
      <ActionNote state={state} />
    </span>
  );
}

/** For who looks only. */
export const HOW_TO_ACT = 'run `aiops open` to act';

/** Says only what did not work: what did is seen in the state. */
export function ActionNote({ state }: { state: ActionState }) {
  if (state.kind !== 'failed') return null;
  return (
    <span className="action-note" role="alert">
      Refused: {state.why}
    </span>
  );
}
