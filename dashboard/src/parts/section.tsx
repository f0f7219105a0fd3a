import type { ReactNode } from 'react';

interface SectionProps<Row> {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly Row[];
  /** Shown instead of the list when there is nothing in it. */
  readonly empty: string;
  readonly children: (shown: readonly Row[]) => ReactNode;
}

/** More rows than this are counted, not drawn. */
const MAX_ROWS = 30;

export function Section<Row>({ id, title, rows, empty, children }: SectionProps<Row>) {
  const hidden = rows.length - MAX_ROWS;
  return (
    <section id={id} className={`section section-${id}`} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <h2 id={`${id}-title`}>
        {title} <span className="section-count">{rows.length}</span>
      </h2>
      {rows.length === 0 ? <p className="empty">{empty}</p> : children(rows.slice(0, MAX_ROWS))}
      {hidden > 0 && <p className="more">and {hidden} more</p>}
    </section>
  );
}
