import type { RescueManifest, RescuePart } from '../../workspaces/rescue/manifest.ts';
import { dropCommand } from '../../workspaces/rescue/over-limit.ts';
import type { SizedRescue } from '../../workspaces/rescue/retention.ts';
import { formatFacts, formatListing } from '../terminal/format-table.ts';
import type { Look } from '../terminal/look.ts';
import { formatInstant } from '../terminal/times.ts';

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1.5 MiB` */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const value = bytes / 1024 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}

/** One aligned row per rescue under a heading. */
export function formatRescues(rescues: readonly SizedRescue[], look: Look): string {
  const rows = rescues.map(({ manifest, bytes }) => [
    manifest.id,
    manifest.identifier,
    contentOf(manifest.parts, manifest.directory),
    formatBytes(bytes),
    manifest.reason,
  ]);
  return formatListing(['RESCUE', 'ISSUE', 'HOLDS', 'SIZE', 'WHY'], rows, look);
}

/** What is kept beyond the limits, and how a person lets it go. */
export function formatKept(kept: readonly RescueManifest[]): string {
  const what = kept.length === 1 ? 'One is' : `${kept.length} are`;
  return [
    `${what} beyond the limits and kept: the commits in it are neither on the remote nor in a newer rescue.`,
    'Restore it and push, or drop it for good:',
    ...kept.map((manifest) => `  ${dropCommand(manifest)}`),
    '',
  ].join('\n');
}

/** Everything a person needs to decide whether to restore. */
export function formatDetails({ manifest, bytes }: SizedRescue, directory: string, look: Look): string {
  const saved = formatInstant(Date.parse(manifest.createdAt), look);
  const facts = formatFacts(
    [
      ['Rescue', manifest.id],
      ['Issue', `${manifest.identifier} (${manifest.trackerKind} ${manifest.issueId})`],
      ['Saved', `${saved}, because the workspace was: ${manifest.reason}`],
      ['From', manifest.workspace],
      ['Kept in', `${directory} (${formatBytes(bytes)})`],
      ['Holds', manifest.directory === null ? null : 'the whole directory, as it was'],
      ['Restore', `aiops rescue restore ${manifest.identifier}`],
    ],
    look,
  );
  return `${facts}${manifest.parts.flatMap(describePart).join('\n')}\n`;
}

function describePart(part: RescuePart): string[] {
  const lines = [`\n${part.path === '' ? 'The workspace' : part.path}`];
  lines.push(
    `  Branch     ${part.branch ?? (part.repository ? 'none (detached HEAD)' : 'none (a plain directory)')}`,
  );
  lines.push(`  Commits    ${part.unpushedCommits} not on the remote`);
  lines.push(`  Files      ${part.uncommittedFiles} uncommitted`);
  if (part.remote !== null) lines.push(`  Builds on  ${part.remote}`);
  for (const { name, commit } of part.refs) lines.push(`  ${commit.slice(0, 12)}  ${name}`);
  return lines;
}

function contentOf(parts: readonly RescuePart[], directory: string | null): string {
  if (directory !== null) return 'the whole directory';
  const commits = parts.reduce((sum, part) => sum + part.unpushedCommits, 0);
  return formatContent(
    commits,
    parts.reduce((sum, part) => sum + part.uncommittedFiles, 0),
  );
}

/** `1 commit, 2 files` */
export function formatContent(commits: number, files: number): string {
  return `${commits} commit${commits === 1 ? '' : 's'}, ${files} file${files === 1 ? '' : 's'}`;
}
