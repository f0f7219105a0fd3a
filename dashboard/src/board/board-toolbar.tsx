import { Choice } from '../parts/choice.tsx';
import { choose } from '../place/use-place.ts';
import { SORTS } from './filter-state.ts';

interface BoardToolbarProps {
  readonly search: string;
  readonly sort: string;
  readonly compact: boolean;
}

/** Search, order and density; all of it is in the address. */
export function BoardToolbar({ search, sort, compact }: BoardToolbarProps) {
  return (
    <div className="toolbar board-toolbar">
      <input
        type="search"
        className="field"
        placeholder="Search the board"
        aria-label="Search the board"
        value={search}
        data-search
        onChange={(event) => choose({ q: event.target.value })}
      />
      <Choice label="Order" value={sort} options={SORTS} onChoose={(chosen) => choose({ sort: chosen })} />
      <label className="check">
        <input
          type="checkbox"
          checked={compact}
          onChange={(event) => choose({ density: event.target.checked ? 'compact' : '' })}
        />{' '}
        Compact
      </label>
    </div>
  );
}
