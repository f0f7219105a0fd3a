import type { EventView } from '../view/derive-events.ts';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export function EventList({ rows }: { rows: readonly EventView[] }) {
  return (
    <Section id="events" title="Recent events" rows={rows} empty="Nothing has happened yet.">
      {(shown) => (
        <ol className="events">
          {shown.map((row) => (
            <li key={row.key} className={`event tone-${row.tone}`}>
              <time dateTime={row.at} title={row.at}>
                {clock.format(new Date(row.at))}
              </time>
              <p>
                {row.subject !== null && <b className="event-subject">{row.subject}</b>}{' '}
                {row.label !== null && <span className="muted">{row.label}: </span>}
                <Prose text={row.message} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}
