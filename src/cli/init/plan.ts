import type { AgentId, ForgeFacts } from './facts.ts';
import type { WorkStates } from './states.ts';

export type TrackerPlan =
  | {
      readonly kind: 'github' | 'gitea';
      readonly endpoint: string | null;
      readonly owner: string;
      readonly name: string;
      readonly tokenVariable: string;
    }
  | {
      readonly kind: 'linear';
      /** Null for Linear's own address, which is the default. */
      readonly endpoint: string | null;
      readonly projectSlug: string;
      readonly tokenVariable: string;
      readonly states: WorkStates;
    }
  | { readonly kind: 'local'; readonly path: string };

/** Everything that a generated workflow depends on. */
export interface Plan {
  readonly tracker: TrackerPlan;
  readonly cloneUrl: string;
  readonly defaultBranch: string;
  /** The forge that holds the code, when the issues are elsewhere; its pull requests need a token of their own. */
  readonly codeForge: ForgeFacts | null;
  /** `repo.token`, for a repository whose credential is not the tracker's. */
  readonly repoTokenVariable: string | null;
  readonly agent: AgentId;
  /** Variables of the agent's own account that it has to be given. */
  readonly passedVariables: readonly string[];
  readonly verify: readonly string[];
  readonly setUp: string | null;
  /** Where the JSON schema of workflow files is, as an editor finds it from the file. */
  readonly schema: string;
}

/** The runner's name in `agent.default`, and the command of an ACP agent. */
export function runnerOf(agent: AgentId): { readonly runner: string; readonly acpCommand: string | null } {
  if (agent === 'codex') return { runner: 'codex-app-server', acpCommand: null };
  if (agent === 'gemini') return { runner: 'acp', acpCommand: 'gemini --acp' };
  if (agent === 'opencode') return { runner: 'acp', acpCommand: 'opencode acp' };
  return { runner: agent, acpCommand: null };
}

/** What the agents need of the environment to reach their models; everything else stays away from them. */
const ACCOUNT_VARIABLES: Readonly<Record<AgentId, readonly string[]>> = {
  codex: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'AZURE_OPENAI_API_KEY'],
  claude: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CODE_USE_BEDROCK',
    'CLAUDE_CODE_USE_VERTEX',
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
  ],
  gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_GENAI_USE_VERTEXAI'],
  opencode: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  mock: [],
};

/** A way through a company's proxy is needed by whatever speaks to a model. */
const NETWORK_VARIABLES: readonly string[] = [
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY', 'https_proxy', 'http_proxy', 'no_proxy'],
  ...['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
];

export function passedVariables(agent: AgentId, variables: readonly string[]): readonly string[] {
  const wanted = agent === 'mock' ? [] : [...ACCOUNT_VARIABLES[agent], ...NETWORK_VARIABLES];
  return wanted.filter((name) => variables.includes(name));
}
