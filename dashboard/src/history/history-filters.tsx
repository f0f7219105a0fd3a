import { Choice } from '../parts/choice.tsx';
import { choose } from '../place/use-place.ts';
import { OUTCOMES } from '../view/derive-ended.ts';
import type { HistoryFilter, HistoryView } from './derive-history.ts';
import { download, toCsv } from './export.ts';

/** Every choice is in the address. */
export function HistoryFilters({ filter, view }: { filter: HistoryFilter; view: HistoryView }) {
  const { agents, profiles } = view.choices;
  const name = `runs-${filter.days}-days`;
  return (
    <div className="toolbar">
      <Choice
        label="Time"
        value={String(filter.days)}
        options={[7, 30, 90].map((days) => [String(days), `${days} days`])}
        onChoose={(days) => choose({ days })}
      />
      <Choice
        label="Agent"
        value={filter.agent}
        options={withAll(agents)}
        onChoose={(agent) => choose({ agent })}
      />
      <Choice
        label="Profile"
        value={filter.profile}
        options={withAll(profiles)}
        onChoose={(profile) => choose({ profile })}
      />
      <Choice
        label="Outcome"
        value={filter.outcome}
        options={[['', 'All'], ...Object.entries(OUTCOMES).map(([id, { label }]) => [id, label] as const)]}
        onChoose={(outcome) => choose({ outcome })}
      />
      <span className="toolbar-end">
        <button
          type="button"
          className="button"
          onClick={() => download(`${name}.csv`, 'text/csv', toCsv(view.runs))}
        >
          CSV
        </button>
        <button
          type="button"
          className="button"
          onClick={() => download(`${name}.json`, 'application/json', JSON.stringify(view.runs, null, 2))}
        >
          JSON
        </button>
      </span>
    </div>
  );
}

function withAll(names: readonly string[]): readonly (readonly [string, string])[] {
  return [['', 'All'], ...names.map((name) => [name, name] as const)];
}
