import { client } from '../access/browser-access.ts';
import { type ConnectionView, isFresh } from '../view/derive-connection.ts';
import { ActionButton } from './action-button.tsx';
import { LogoMark } from './icons.tsx';

interface HeaderProps {
  readonly connection: ConnectionView;
  readonly version: string | null;
  readonly workflow: string | null;
  /** Null while nothing is known. */
  readonly paused: boolean | null;
}

export function Header({ connection, version, workflow, paused }: HeaderProps) {
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
          {isFresh(connection) && (
            <>
              <ActionButton
                label="Poll now"
                title="Look at the tracker now"
                run={() => client.refresh()}
                free
              />
              {paused !== null && <PauseButton paused={paused} />}
            </>
          )}
        </div>
      </div>
    </header>
  );
}

function PauseButton({ paused }: { paused: boolean }) {
  return paused ? (
    <ActionButton
      key="resume"
      label="Resume"
      title="Let new runs start again"
      run={() => client.act('resume', { by: 'dashboard' })}
    />
  ) : (
    <ActionButton
      key="pause"
      label="Pause"
      title="Start no new runs; runs under way go on"
      run={() => client.act('pause', { by: 'dashboard' })}
    />
  );
}
