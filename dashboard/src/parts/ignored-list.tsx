import type { IgnoredView } from '../view/derive-queue.ts';
import { Section } from './section.tsx';

/** What lies where issues are expected and is none. There is no such section while there is nothing in it. */
export function IgnoredList({ rows }: { rows: readonly IgnoredView[] }) {
  if (rows.length === 0) return null;
  return (
    <Section id="ignored" title="Ignored" rows={rows} empty="">
      {(shown) => (
        <ul className="lines">
          {shown.map((row) => (
            <li key={row.name} className="line">
              <div className="line-main">
                <p>
                  <bdi>{row.name}</bdi>
                </p>
                <p className="line-detail">
                  <bdi>{row.why}</bdi>
                </p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
