import type { MeterView } from './derive-meters.ts';

/** How much is used of what runs out. There is no such row while nothing is limited. */
export function Meters({ meters }: { meters: readonly MeterView[] }) {
  if (meters.length === 0) return null;
  return (
    <ul className="meters" aria-label="What runs out">
      {meters.map(({ label, used, text, tone }) => (
        <li key={label} className={`meter meter-${tone}`}>
          <span className="meter-label">{label}</span>
          <span className="meter-text">{text}</span>
          <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
            <rect className="meter-track" width="100" height="4" />
            <rect className="meter-used" width={used * 100} height="4" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
