import type { ReactNode } from 'react';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly count: number;
  /** Shown instead of the list when there is nothing in it. */
  readonly empty: string;
  readonly children: ReactNode;
}

export function Section({ id, title, count, empty, children }: SectionProps) {
  return (
    <section id={id} className={`section section-${id}`} aria-labelledby={`${id}-title`} tabIndex={-1}>
      <h2 id={`${id}-title`}>
        {title} <span className="section-count">{count}</span>
      </h2>
      {count === 0 ? <p className="empty">{empty}</p> : children}
    </section>
  );
}
