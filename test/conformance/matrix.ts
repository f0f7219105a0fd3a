import { type Citation, citationsIn, holdsTests, idsIn, isAbbreviated, titlesIn } from './citations.ts';
import { partUnder } from './pages.ts';
import type { Requirement, Section } from './requirement.ts';

export type Standing = 'cited' | 'documented' | 'deferred' | 'open';

export interface JudgedLine {
  readonly requirement: Requirement;
  readonly standing: Standing;
  /** Named in DEVIATIONS.md: the test proves what is done instead. */
  readonly deviates: boolean;
  readonly citations: readonly Citation[];
}

export interface JudgedSection {
  readonly name: string;
  readonly lines: readonly JudgedLine[];
}

export interface Matrix {
  readonly sections: readonly JudgedSection[];
  /** What is wrong with the list or with a citation, apart from open lines. */
  readonly problems: readonly string[];
}

/** The files of the repository by path; only tests and Markdown pages are read. */
export interface Sources {
  readonly paths: readonly string[];
  read(path: string): string;
}

export function buildMatrix(sections: readonly Section[], sources: Sources): Matrix {
  const tests = sources.paths.filter(holdsTests).map((path) => [path, sources.read(path)] as const);
  const citations = tests.flatMap(([path, source]) => citationsIn(path, source));
  const deviations = new Set(idsIn(readPage(sources, 'DEVIATIONS.md') ?? ''));
  const judged = sections.map(({ name, lines }) => ({
    name,
    lines: lines.map((requirement) => {
      const own = citations.filter(({ id }) => id === requirement.id);
      const deviates = deviations.has(requirement.id);
      return { requirement, standing: standingOf(requirement, own, sources), deviates, citations: own };
    }),
  }));
  return {
    sections: judged,
    problems: [
      ...listProblems(sections),
      ...citationProblems(sections, citations, deviations),
      ...tests.flatMap(([path, source]) => abbreviations(path, source)),
      ...judged.flatMap(({ lines }) => lines.flatMap(lineProblems)),
    ],
  };
}

function standingOf({ status }: Requirement, own: readonly Citation[], sources: Sources): Standing {
  if (status.kind === 'deferred') return 'deferred';
  if (own.length > 0) return 'cited';
  if (status.kind === 'cited') return 'open';
  const [path = '', anchor = ''] = status.where.split('#');
  const part = partUnder(readPage(sources, path) ?? '', anchor);
  return part?.includes(status.phrase) === true ? 'documented' : 'open';
}

function readPage(sources: Sources, path: string): string | null {
  return sources.paths.includes(path) ? sources.read(path) : null;
}

function listProblems(sections: readonly Section[]): string[] {
  const seen = new Set<string>();
  const repeated = sections
    .flatMap(({ lines }) => lines)
    .filter(({ id }) => seen.size === seen.add(id).size)
    .map(({ id }) => `${id} is listed twice`);
  const wrongCounts = sections
    .filter(({ count, lines }) => count !== lines.length)
    .map(({ name, count, lines }) => `${name} has ${lines.length} lines, not ${count}`);
  return [...repeated, ...wrongCounts];
}

function citationProblems(
  sections: readonly Section[],
  citations: readonly Citation[],
  deviations: ReadonlySet<string>,
): string[] {
  const known = new Set(sections.flatMap(({ lines }) => lines.map(({ id }) => id)));
  return [
    ...citations
      .filter(({ id }) => !known.has(id))
      .map(({ id, path, line }) => `${path}:${line} cites ${id}, which does not exist`),
    ...[...deviations]
      .filter((id) => !known.has(id))
      .map((id) => `DEVIATIONS.md names ${id}, which does not exist`),
  ];
}

function abbreviations(path: string, source: string): string[] {
  return titlesIn(source)
    .filter(({ title }) => isAbbreviated(title))
    .map(({ title, line }) => `${path}:${line} abbreviates: ${title}`);
}

function lineProblems({ requirement, deviates, citations }: JudgedLine): string[] {
  const { id, status } = requirement;
  const [first] = citations;
  if (status.kind === 'deferred' && first !== undefined)
    return [`${id} is deferred, but ${first.path}:${first.line} cites it`];
  if (deviates && first === undefined)
    return [`${id} is in DEVIATIONS.md, but no test proves what is done instead`];
  return [];
}
