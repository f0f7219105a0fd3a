import { useState } from 'react';
import { requestPoll } from '../feed/browser-feed.ts';
import type { ConnectionView } from '../view/derive-connection.ts';
import { LogoMark } from './icons.tsx';

interface HeaderProps {
  readonly connection: ConnectionView;
  readonly version: string | null;
  readonly workflow: string | null;
}

export function Header({ connection, version, workflow }: HeaderProps) {
  return (
    <header className="header">
      <div className="header-inner">
        <div className="brand">
          <LogoMark />
          <h1>
            aiops <span className="visually-hidden">worker</span>
          </h1>
          {version !== null && <span className="chip">v{version}</span>}
        </div>
        {workflow !== null && (
          <p className="header-workflow" title={workflow}>
            <bdi>{workflow}</bdi>
          </p>
        )}
        <div className="header-state">
          <span className={`pill pill-${connection.kind}`}>
            <span className="dot" aria-hidden="true" />
            <span>{connection.label}</span>
            {connection.age !== null && <span className="pill-age">{connection.age}</span>}
          </span>
          {connection.kind === 'live' && <PollButton />}
        </div>
      </div>
    </header>
  );
}

type PollState = 'idle' | 'asking' | 'failed';

const POLL_LABELS: Readonly<Record<PollState, string>> = {
  idle: 'Poll now',
  asking: 'Asking…',
  failed: 'Refused: try again',
};

function PollButton() {
  const [state, setState] = useState<PollState>('idle');
  const poll = () => {
    setState('asking');
    requestPoll().then(
      () => setState('idle'),
      () => setState('failed'),
    );
  };
  return (
    <button
      type="button"
      className="button"
      onClick={poll}
      disabled={state === 'asking'}
      title="Look at the tracker now"
    >
      {POLL_LABELS[state]}
    </button>
  );
}
