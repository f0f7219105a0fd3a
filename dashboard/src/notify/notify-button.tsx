import { BellIcon } from '../parts/icons.tsx';
import { notifier, useNotifierState } from './browser-notifier.ts';

export function NotifyButton() {
  const { on } = useNotifierState();
  return (
    <button
      type="button"
      className="button button-plain button-bell"
      aria-pressed={on}
      title={
        on ? 'You are notified when something needs you. Press to stop.' : 'Notify me when something needs me'
      }
      onClick={() => void notifier.toggle()}
    >
      <BellIcon />
      <span className="visually-hidden">Notify me</span>
    </button>
  );
}

/** Why nobody will be notified although somebody wanted to be. */
export function NotifyNote() {
  const { problem } = useNotifierState();
  if (problem === null) return null;
  return (
    <p className="looking-only" role="alert">
      {problem}
    </p>
  );
}
