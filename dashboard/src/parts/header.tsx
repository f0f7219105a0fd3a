import { useMemo, useState } from 'react';
import { client } from '../access/browser-access.ts';
import { KeyList } from '../keyboard/key-list.tsx';
import { useKeys } from '../keyboard/use-keys.ts';
import { NotifyButton } from '../notify/notify-button.tsx';
import type { Place } from '../place/place.ts';
import { followHere, go } from '../place/use-place.ts';
import { chooseTheme, nextTheme, readTheme } from '../theme/theme.ts';
import { ThemeButton } from '../theme/theme-button.tsx';
import { type ConnectionView, isFresh } from '../view/derive-connection.ts';
import { ActionButton } from './action-button.tsx';
import { LogoMark } from './icons.tsx';

interface HeaderProps {
  readonly connection: ConnectionView;
  readonly view: Place['view'];
  /** Whether issues are written on this page. */
  readonly hasIssues: boolean;
  readonly version: string | null;
  readonly workflow: string | null;
  /** Null while nothing is known. */
  readonly paused: boolean | null;
}

export function Header({ connection, view, hasIssues, version, workflow, paused }: HeaderProps) {
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
        <Navigation view={view} hasIssues={hasIssues} />
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
          <NotifyButton />
          <ThemeButton />
          <KeysButton hasIssues={hasIssues} />
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

const VIEWS = [
  { view: 'board', address: '/', label: 'Board' },
  { view: 'issues', address: '/issues', label: 'Issues' },
  { view: 'history', address: '/history', label: 'History' },
] as const;

function Navigation({ view, hasIssues }: { view: Place['view']; hasIssues: boolean }) {
  return (
    <nav className="views" aria-label="Pages">
      {VIEWS.filter(({ view: own }) => own !== 'issues' || hasIssues).map(({ view: own, address, label }) => (
        <a key={own} href={address} onClick={followHere} aria-current={own === view ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The keys that work everywhere, and the list of all of them. */
function KeysButton({ hasIssues }: { hasIssues: boolean }) {
  const [open, setOpen] = useState(false);
  const keys = useMemo(
    () => ({
      '?': () => setOpen(true),
      b: () => go('/'),
      h: () => go('/history'),
      ...(hasIssues ? { i: () => go('/issues') } : {}),
      t: () => chooseTheme(nextTheme(readTheme())),
      '/': () => document.querySelector<HTMLElement>('[data-search]')?.focus(),
    }),
    [hasIssues],
  );
  useKeys(keys);
  return (
    <>
      <button type="button" className="button button-plain" title="Keys (?)" onClick={() => setOpen(true)}>
        <span className="visually-hidden">Keys </span>?
      </button>
      {open && <KeyList onClose={() => setOpen(false)} />}
    </>
  );
}
