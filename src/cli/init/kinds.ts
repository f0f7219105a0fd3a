import type { AgentKind, ForgeSettings } from '../../config/kinds.ts';
import { FORGE_SETTINGS } from '../../forges/registry.ts';
import { AGENT_SETUPS, type OfferedAgent } from '../../runners/registry.ts';
import { TRACKER_KINDS } from '../../trackers/registry.ts';
import type { TrackerKind } from '../../trackers/tracker-kind.ts';

/** What can be chosen, in the order in which it is named: forges, other accounts, and what needs none. */
export const TRACKERS: readonly TrackerKind[] = TRACKER_KINDS.toSorted(
  (one, other) => rank(one) - rank(other),
);

/** Those with a program of their own first. */
export const AGENTS: readonly OfferedAgent[] = AGENT_SETUPS.toSorted(
  (one, other) => Number(isBuiltIn(one)) - Number(isBuiltIn(other)),
);

export function trackerNamed(kind: string): TrackerKind {
  return found(
    TRACKERS.find((tracker) => tracker.kind === kind),
    kind,
  );
}

export function agentNamed(name: string): OfferedAgent {
  return found(
    AGENTS.find((agent) => agent.name === name),
    name,
  );
}

/** The forge that the issues of a tracker are on; undefined for other trackers. */
export function forgeOf(trackerKind: string): ForgeSettings | undefined {
  return FORGE_SETTINGS.find(({ kind }) => kind === trackerKind);
}

export function isBuiltIn({ kind }: { readonly kind: AgentKind }): boolean {
  return kind.builtIn === true;
}

function rank({ kind, setup }: TrackerKind): number {
  if (forgeOf(kind) !== undefined) return 0;
  return setup.token === null ? 2 : 1;
}

function found<Kind>(kind: Kind | undefined, name: string): Kind {
  if (kind === undefined) throw new Error(`there is no ${name}`);
  return kind;
}
