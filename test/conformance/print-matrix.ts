import type { JudgedLine, JudgedSection, Matrix, Standing } from './matrix.ts';

const COLUMNS: readonly Standing[] = ['cited', 'documented', 'deferred', 'open'];

/** The matrix for people: sums, then what is open, wrong or put off. */
export function formatMatrix(matrix: Matrix, verbose: boolean): string {
  const lines = matrix.sections.flatMap((section) => section.lines);
  const open = lines.filter(({ standing }) => standing === 'open');
  return [
    ...table(matrix.sections),
    '',
    ...part('Open', open.map(describe)),
    ...part('Wrong', matrix.problems),
    ...part('Deferred', deferrals(lines)),
    ...(verbose ? part('Proof', lines.map(proof)) : []),
  ].join('\n');
}

function table(sections: readonly JudgedSection[]): string[] {
  const width = Math.max(...sections.map(({ name }) => name.length));
  const row = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(width)} ${cells.map((cell) => String(cell).padStart(11)).join('')}`;
  const counts = (lines: readonly JudgedLine[]): number[] => [
    ...COLUMNS.map((column) => lines.filter(({ standing }) => standing === column).length),
    lines.filter(({ deviates }) => deviates).length,
    lines.length,
  ];
  return [
    row('', [...COLUMNS, 'deviating', 'lines']),
    ...sections.map(({ name, lines }) => row(name, counts(lines))),
    row('all', counts(sections.flatMap(({ lines }) => lines))),
  ];
}

function part(title: string, entries: readonly string[]): string[] {
  return entries.length === 0
    ? []
    : [`${title} (${entries.length})`, ...entries.map((entry) => `  ${entry}`), ''];
}

function describe({ requirement: { id, level, says } }: JudgedLine): string {
  return `${id} (${level}) ${says}`;
}

/** One entry per issue and reason, with its lines. */
function deferrals(lines: readonly JudgedLine[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { requirement } of lines) {
    if (requirement.status.kind !== 'deferred') continue;
    const reason = `${requirement.status.issue}: ${requirement.status.reason}`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), requirement.id]);
  }
  return [...byReason].map(([reason, ids]) => `${reason} (${ids.length})\n    ${ids.join(' ')}`);
}

function proof({ requirement, standing, deviates, citations }: JudgedLine): string {
  const { id, status } = requirement;
  const where = status.kind === 'documented' && citations.length === 0 ? [status.where] : [];
  const places = citations.map(({ path, line }) => `${path}:${line}`);
  return `${id} ${standing}${deviates ? ' (deviates)' : ''} ${[...where, ...places].join(' ')}`.trimEnd();
}
