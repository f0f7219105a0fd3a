import type { AgentFacts, AgentId, Facts, ForgeFacts, TrackerChoice } from './facts.ts';

/** One possible answer to a question, best first. */
export interface Option<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** Why it is there, or what it lacks. */
  readonly hint: string;
}

/** The variables that may hold a tracker's token, the usual one first. */
export const TOKEN_VARIABLES: Readonly<Record<TrackerChoice, readonly string[]>> = {
  github: ['GITHUB_TOKEN', 'GH_TOKEN'],
  gitea: ['GITEA_TOKEN', 'FORGEJO_TOKEN'],
  linear: ['LINEAR_API_KEY'],
  local: [],
};

/** The variable that the workflow file names: the one that is set, else the usual one. Null for a tracker without a token. */
export function tokenVariable(tracker: TrackerChoice, variables: readonly string[]): string | null {
  const names = TOKEN_VARIABLES[tracker];
  return names.find((name) => variables.includes(name)) ?? names[0] ?? null;
}

function hasToken(tracker: TrackerChoice, { variables, ghSignedIn }: Facts): boolean {
  return (
    TOKEN_VARIABLES[tracker].some((name) => variables.includes(name)) || (tracker === 'github' && ghSignedIn)
  );
}

/** Trackers that make sense here. The forge of the repository comes first, unless only Linear has a token. */
export function trackerOptions(facts: Facts): readonly Option<TrackerChoice>[] {
  const { forge } = facts;
  const hosted = forge === null ? [] : [forgeOption(forge, facts)];
  const linear: readonly Option<TrackerChoice>[] = [
    {
      value: 'linear',
      label: 'Linear',
      hint: hasToken('linear', facts) ? 'LINEAR_API_KEY is set' : 'needs LINEAR_API_KEY',
    },
  ];
  const local: readonly Option<TrackerChoice>[] = [
    { value: 'local', label: 'Local folder', hint: 'Markdown files, no account' },
  ];
  const linearOnly = hasToken('linear', facts) && (forge === null || !hasToken(forge.kind, facts));
  if (linearOnly) return [...linear, ...hosted, ...local];
  return hosted.length > 0 ? [...hosted, ...local, ...linear] : [...local, ...linear];
}

function forgeOption({ kind, owner, name }: ForgeFacts, facts: Facts): Option<TrackerChoice> {
  const label = kind === 'github' ? 'GitHub issues' : 'Gitea or Forgejo issues';
  const missing = hasToken(kind, facts) ? '' : `, needs ${TOKEN_VARIABLES[kind][0]}`;
  return { value: kind, label, hint: `${owner}/${name}${missing}` };
}

const AGENT_LABELS: Readonly<Record<AgentFacts['id'], string>> = {
  codex: 'Codex',
  claude: 'Claude Code',
  gemini: 'Gemini CLI (ACP)',
  opencode: 'opencode (ACP)',
};

/** Agents that are installed, those that are signed in first; the mock agent is never chosen unless somebody asks for it. */
export function agentOptions({ agents }: Pick<Facts, 'agents'>): readonly Option<AgentId>[] {
  const rank = ({ signedIn }: AgentFacts): number => (signedIn === true ? 0 : signedIn === null ? 1 : 2);
  const found = agents
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ id, program, signedIn }) => {
      const standing = signedIn === true ? 'signed in' : signedIn === false ? 'not signed in' : 'installed';
      return { value: id, label: `${AGENT_LABELS[id]}, ${standing}`, hint: program };
    });
  return [...found, { value: 'mock', label: 'Mock', hint: 'only writes notes, for trying things out' }];
}
