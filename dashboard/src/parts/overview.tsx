import type { FactView, KpiView } from '../view/derive-overview.ts';

interface OverviewProps {
  readonly kpis: readonly KpiView[];
  readonly facts: readonly FactView[];
}

export function Overview({ kpis, facts }: OverviewProps) {
  return (
    <section aria-label="Overview" className="overview">
      <ul className="kpis">
        {kpis.map((kpi) => (
          <li key={kpi.id}>
            <a className={lookOf(kpi)} href={`#${kpi.id}`}>
              <span className="kpi-label">{kpi.label}</span>
              <span className="kpi-value">{kpi.value}</span>
              <span className="kpi-note">{kpi.note}</span>
            </a>
          </li>
        ))}
      </ul>
      <dl className="facts">
        {facts.map((fact) => (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function lookOf(kpi: KpiView): string {
  return ['kpi', `kpi-${kpi.id}`, kpi.calls ? 'kpi-calls' : '', kpi.isZero ? 'kpi-zero' : ''].join(' ');
}
