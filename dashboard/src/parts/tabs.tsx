import { type KeyboardEvent, type ReactNode, useId } from 'react';

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: string;
  onChoose(id: string): void;
  /** What the chosen one shows. */
  readonly children: ReactNode;
}

/** Arrow keys move between tabs, as everywhere. */
export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const base = useId();
  const move = (event: KeyboardEvent, step: number): void => {
    const index = tabs.findIndex(({ id }) => id === chosen);
    const next = tabs[(index + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    document.getElementById(`${base}-tab-${next.id}`)?.focus();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}-tab-${tab.id}`}
            aria-selected={tab.id === chosen}
            aria-controls={`${base}-panel`}
            tabIndex={tab.id === chosen ? 0 : -1}
            className="tab"
            onClick={() => onChoose(tab.id)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(event, 1);
              if (event.key === 'ArrowLeft') move(event, -1);
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${base}-panel`}
        aria-labelledby={`${base}-tab-${chosen}`}
        className="tab-panel"
      >
        {children}
      </div>
    </>
  );
}
