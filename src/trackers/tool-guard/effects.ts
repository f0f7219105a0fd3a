import type { ToolEffect } from '../../domain/tool.ts';

const BY_WEIGHT: readonly ToolEffect['kind'][] = ['state_changed', 'pull_request', 'pushed', 'commented'];

/** The one that says most about a call that changed several things. */
export function mostImportant(effects: readonly ToolEffect[]): ToolEffect | undefined {
  return effects.toSorted((a, b) => BY_WEIGHT.indexOf(a.kind) - BY_WEIGHT.indexOf(b.kind))[0];
}

/** False when the provider says of any part of its answer that it did not happen. */
export function isConfirmed(data: Readonly<Record<string, unknown>> | null): boolean {
  return Object.values(data ?? {}).every(
    (payload) =>
      !(typeof payload === 'object' && payload !== null && 'success' in payload && payload.success !== true),
  );
}
