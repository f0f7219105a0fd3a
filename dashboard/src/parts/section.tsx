import { type ReactNode, useState } from 'react';

interface SectionProps<Row> {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Shown instead of the list when there is nothing in it. */
  readonly empty: string;
  readonly children: (shown: readonly Row[]) => ReactNode;
}

/** More rows than this are counted, not drawn, until somebody wants more. */
const MAX_ROWS = 30;
const MORE_ROWS = 200;

export function Section<Row>({ id, title, rows, empty, children }: SectionProps<Row>) {
  const [most, setMost] = useState(MAX_ROWS);
  const hidden = rows.length - most;
  return (
    <section id={id} className={`section section-${id}`} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <h2 id={`${id}-title`}>
        {title} <span className="section-count">{rows.length}</span>
      </h2>
      {rows.length === 0 ? <p className="empty">{empty}</p> : children(rows.slice(0, most))}
      {hidden > 0 && (
        <p className="more">
          and {hidden} more{' '}
          <button type="button" className="link-button" onClick={() => setMost(most + MORE_ROWS)}>
            Show {Math.min(hidden, MORE_ROWS)}
          </button>
        </p>
      )}
    </section>
  );
}
