import { TRACKER_KINDS, trackerKind } from '../../../trackers/registry.ts';
import type { TrackerKind } from '../../../trackers/tracker-kind.ts';
import type { Option } from '../../../trackers/tracker-setup.ts';
import type { AgentFacts, Facts } from '../detect/facts.ts';
import { AGENTS, agentNamed, forgeOf, isBuiltIn } from '../kinds.ts';

function tokenVariables(kind: string): readonly string[] {
  return trackerKind(kind)?.setup.token?.variables ?? [];
}

/** The variable that the workflow file names: the one that is set, else the usual one. Null for a tracker without a token. */
export function tokenVariable(kind: string, variables: readonly string[]): string | null {
  const names = tokenVariables(kind);
  return names.find((name) => variables.includes(name)) ?? names[0] ?? null;
}

export function hasToken(kind: string, { variables, lender }: Facts): boolean {
  return lender === kind || tokenVariables(kind).some((name) => variables.includes(name));
}

/** Trackers that make sense here. The forge of the repository comes first, unless only another tracker has a token. */
export function trackerOptions(facts: Facts): readonly Option<string>[] {
  const hosted = TRACKER_KINDS.filter(({ kind }) => kind === facts.forge?.kind);
  const others = TRACKER_KINDS.filter(({ kind }) => forgeOf(kind) === undefined);
  const signedIn = hosted.some(({ kind }) => hasToken(kind, facts))
    ? []
    : others.filter(({ kind }) => hasToken(kind, facts));
  return [...new Set([...signedIn, ...hosted, ...others])].map((tracker) => optionOf(tracker, facts));
}

function optionOf({ kind, setup: { title, token, remark = '' } }: TrackerKind, facts: Facts): Option<string> {
  const needed = token === null || hasToken(kind, facts) ? [] : [`needs ${token.variables[0]}`];
  const { forge } = facts;
  if (forge?.kind === kind)
    return { value: kind, label: title, hint: [`${forge.owner}/${forge.name}`, ...needed].join(', ') };
  const known = token === null ? remark : `${tokenVariable(kind, facts.variables)} is set`;
  return { value: kind, label: title, hint: needed[0] ?? known };
}

/** Agents that are installed, those that are signed in first; one that is built in is never chosen unless somebody asks for it. */
export function agentOptions({ agents }: Pick<Facts, 'agents'>): readonly Option<string>[] {
  const rank = ({ signedIn }: AgentFacts): number => (signedIn === true ? 0 : signedIn === null ? 1 : 2);
  const found = agents
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, program, signedIn }) => {
      const standing = signedIn === true ? 'signed in' : signedIn === false ? 'not signed in' : 'installed';
      return { value: id, label: `${agentNamed(id).title}, ${standing}`, hint: program };
    });
  const builtIn = AGENTS.filter(isBuiltIn).map(({ name, title, remark = '' }) => {
    return { value: name, label: title, hint: remark };
  });
  return [...found, ...builtIn];
}
