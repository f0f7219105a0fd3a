import { useEffect, useRef } from 'react';

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['?', 'this list'],
  ['b', 'board'],
  ['h', 'history'],
  ['i  n', 'issues, and a new one there; with the local tracker only'],
  ['/', 'search on this page'],
  ['j  k', 'next and previous issue on the board; Enter opens it'],
  ['Shift ←  Shift →', 'move an issue to the state beside; arrows alone go from card to card'],
  ['t', 'colours: system, light, dark'],
  ['1  2  3  4', 'parts of a run: timeline, changes, prompt, facts'],
  ['End  Home', 'end and beginning of a timeline'],
  ['Esc', 'close this list, leave a field'],
];

/** What the keys do. A modal dialog of the browser: it keeps the focus and gives it back. */
export function KeyList({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="keys-title" onClose={onClose}>
      <h2 id="keys-title">Keys</h2>
      <dl className="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              {keys.split('  ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
