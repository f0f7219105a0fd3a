import type { EndedRun } from '../../../src/contract/ended-rows.ts';

const COLUMNS: readonly (readonly [
  name: string,
  of: (run: EndedRun) => string | number | null | undefined,
])[] = [
  ['run', (run) => run.run_id],
  ['issue', (run) => run.issue_identifier],
  ['title', (run) => run.title],
  ['outcome', (run) => run.outcome],
  ['reason', (run) => run.reason],
  ['started_at', (run) => run.started_at],
  ['ended_at', (run) => run.ended_at],
  ['runtime_seconds', (run) => run.runtime_seconds],
  ['turns', (run) => run.turns],
  ['input_tokens', (run) => run.tokens.input_tokens],
  ['output_tokens', (run) => run.tokens.output_tokens],
  ['cost_usd', (run) => run.cost_usd],
  ['agent', (run) => run.agent_provider],
  ['profile', (run) => run.agent_profile],
  ['branch', (run) => run.branch],
  ['pull_request_url', (run) => run.pull_request_url],
  ['summary', (run) => run.summary],
];

/** As RFC 4180 has it. What a spreadsheet would take for a formula is kept from being one. */
export function toCsv(runs: readonly EndedRun[]): string {
  const rows = runs.map((run) => COLUMNS.map(([, of]) => cell(of(run))).join(','));
  return [COLUMNS.map(([name]) => name).join(','), ...rows, ''].join('\r\n');
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Hands a text to the browser as a file. */
export function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
