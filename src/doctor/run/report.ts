import type { Status } from '../../domain/verdict.ts';
import { type Finding, worstOf } from './run-checks.ts';

const MARKS: Readonly<Record<Status, string>> = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL', skip: '-   ' };
const INDENT = '      ';

/** For people: a line per check, what to do below those that need it, and a last line that sums up. */
export function formatFindings(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ status, title, text, fix }) => {
    const [first = '', ...more] = text.split('\n').map(clean);
    const head = `${MARKS[status]}  ${title}: ${first}`;
    return [
      head,
      ...more.map((line) => `${INDENT}${line}`),
      ...(fix === null ? [] : [`${INDENT}Fix: ${clean(fix)}`]),
    ];
  });
  return `${[...lines, '', summary(findings)].join('\n')}\n`;
}

/** For programs. */
export function findingsJson(workflow: string, version: string, findings: readonly Finding[]): string {
  const value = {
    ok: worstOf(findings) !== 'fail',
    worst: worstOf(findings),
    workflow,
    version,
    checks: findings.map(({ id, title, status, text, fix, key, durationMs }) => {
      return { id, title, status, text, fix, key, duration_ms: durationMs };
    }),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function summary(findings: readonly Finding[]): string {
  const count = (status: Status): number => findings.filter((finding) => finding.status === status).length;
  const failed = count('fail');
  const warned = count('warn');
  if (failed + warned === 0) return `All ${count('ok')} checks passed.`;
  const plural = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const parts = [
    ...(failed > 0 ? [plural(failed, 'failure')] : []),
    ...(warned > 0 ? [plural(warned, 'warning')] : []),
  ];
  return `${parts.join(', ')}; ${count('ok')} checks passed.`;
}

/** What programs and servers say may hold anything; a terminal must not obey it. */
function clean(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
