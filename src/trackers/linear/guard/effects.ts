import { isRecord } from '../../../domain/is-record.ts';
import type { ToolEffect } from '../../../domain/tool.ts';

const BY_WEIGHT: readonly ToolEffect['kind'][] = ['state_changed', 'pull_request', 'pushed', 'commented'];

/** The one that says most about a call that changed several things. */
function mostImportant(effects: readonly ToolEffect[]): ToolEffect | undefined {
  return effects.toSorted((a, b) => BY_WEIGHT.indexOf(a.kind) - BY_WEIGHT.indexOf(b.kind))[0];
}

/** True when the answer has a part for a write and does not say that it failed. A part left out was never run. */
function isConfirmed(data: Readonly<Record<string, unknown>> | null, answerKey: string): boolean {
  const payload = data !== null && Object.hasOwn(data, answerKey) ? data[answerKey] : undefined;
  return isRecord(payload) && !('success' in payload && payload['success'] !== true);
}

/** What a request changed, in the words of its answer; undefined when that speaks of nothing. */
export function confirmedEffect(
  data: Readonly<Record<string, unknown>> | null,
  effects: readonly { readonly answerKey: string; readonly write: ToolEffect }[],
): ToolEffect | undefined {
  return mostImportant(
    effects.filter(({ answerKey }) => isConfirmed(data, answerKey)).map(({ write }) => write),
  );
}
