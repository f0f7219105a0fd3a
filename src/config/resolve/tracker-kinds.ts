/** What the configuration knows about each kind of tracker; everything else belongs to its adapter. */
export interface TrackerKind {
  /** Read when no credential is written; null when the kind needs none. */
  readonly secretVariable: string | null;
  readonly endpointVariable: string | null;
  readonly endpoint: string | null;
  readonly inactiveStates: readonly string[];
  /** Other names of the shared keys under `tracker.provider`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Keys that mean nothing to this kind. */
  readonly unused: readonly string[];
  /** True when issues live in a repository of the host. */
  readonly needsRepository: boolean;
}

const LOCAL_KEYS = ['path', 'issue_prefix'];
const LINEAR_KEYS = ['project_slug', 'team_key', 'assignee'];

export const TRACKER_KINDS: Readonly<Record<string, TrackerKind>> = {
  local: {
    secretVariable: null,
    endpointVariable: null,
    endpoint: null,
    inactiveStates: ['Backlog', 'Human Review'],
    aliases: {},
    unused: ['api_key', 'endpoint', 'project_slug', 'team_key', 'token', 'api_url', 'repo'],
    needsRepository: false,
  },
  linear: {
    secretVariable: 'LINEAR_API_KEY',
    endpointVariable: null,
    endpoint: 'https://api.linear.app/graphql',
    inactiveStates: ['Backlog', 'Human Review'],
    aliases: {},
    unused: [...LOCAL_KEYS, 'token', 'api_url', 'repo'],
    needsRepository: false,
  },
  github: {
    secretVariable: 'GITHUB_TOKEN',
    endpointVariable: 'GITHUB_API_BASE_URL',
    endpoint: 'https://api.github.com',
    inactiveStates: [],
    aliases: { api_key: 'token', endpoint: 'api_url' },
    unused: [...LOCAL_KEYS, ...LINEAR_KEYS.filter((key) => key !== 'assignee')],
    needsRepository: true,
  },
  gitea: {
    secretVariable: 'GITEA_TOKEN',
    endpointVariable: 'GITEA_BASE_URL',
    endpoint: 'http://localhost:3000',
    inactiveStates: ['Human Review', 'Merging'],
    aliases: {},
    unused: [...LOCAL_KEYS, 'team_key', 'token', 'api_url'],
    needsRepository: true,
  },
};
