/** A figure is within what is wanted when it is at most that; nothing is wanted of most. */
export function isBroken({ wanted }, figure) {
  return wanted !== null && figure > wanted;
}

/**
 * The table of all measured rows as lines: now, the last release's beside it, how much that changed, and what is wanted.
 * `benches` have rows, `figures` are numbers by key, `last` is `{version, figures}` or null. Rows without a figure are left out.
 */
export function formatBenchTable(benches, figures, last) {
  const head = ['', 'now', last?.version ?? 'last', 'change', 'wanted', ''];
  const sections = benches.map(({ rows }) =>
    rows
      .filter(({ key }) => key in figures)
      .map((row) => cellsOf(row, figures[row.key], last?.figures?.[row.key])),
  );
  const all = [head, ...sections.flat()];
  const widths = head.map((_, column) => Math.max(...all.map((cells) => cells[column].length)));
  const line = (cells) =>
    cells
      .map((cell, column) =>
        column === 0 || column === 5 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join('  ')
      .trimEnd();
  const blocks = sections.filter((cells) => cells.length > 0).map((cells) => cells.map(line));
  return [line(head), ...blocks.flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))];
}

function cellsOf(row, now, before) {
  const { label, unit, wanted, fails } = row;
  const verdict = !isBroken(row, now) ? '' : fails ? 'FAILS' : 'more than wanted';
  return [
    label,
    inUnit(now, unit),
    before === undefined ? '' : inUnit(before, unit),
    before === undefined ? '' : changeOf(now, before),
    wanted === null ? '' : `at most ${inUnit(wanted, unit)}`,
    verdict,
  ];
}

/** Three digits are more than any of these can be repeated to. */
function inUnit(figure, unit) {
  const text = Math.abs(figure) >= 100 ? figure.toFixed(0) : Number(figure.toPrecision(2)).toString();
  return unit === '' || unit === 'x' ? `${text}${unit}` : `${text} ${unit}`;
}

function changeOf(now, before) {
  if (before === 0) return now === 0 ? '=' : '';
  const percent = Math.round((now / before - 1) * 100);
  return percent === 0 ? '=' : `${percent > 0 ? '+' : ''}${percent} %`;
}
