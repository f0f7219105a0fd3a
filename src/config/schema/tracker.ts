import { z } from 'zod';
import { block, notNegative, optional, text, texts, withDefault } from './key.ts';
import { trustBlock } from './trust.ts';

const POLL = { applies: 'next poll' } as const;

export const DEFAULT_ACTIVE_STATES = ['Todo', 'In Progress'];
export const DEFAULT_TERMINAL_STATES = ['Closed', 'Cancelled', 'Canceled', 'Duplicate', 'Done'];

/** Keys that may be written flat or under `tracker.provider`. */
const sharedKeys = {
  api_key: optional(
    text,
    'Credential for the tracker; write `$VAR` so that the file holds none. It never reaches an agent.',
    {
      ...POLL,
      secret: true,
      defaultText: '`$LINEAR_API_KEY`, `$GITHUB_TOKEN` or `$GITEA_TOKEN`, by kind',
      environment: '`LINEAR_API_KEY`, `GITHUB_TOKEN`, `GITEA_TOKEN`: used when the key is absent',
    },
  ),
  endpoint: optional(text, 'Base address of the tracker API. `$VAR` allowed.', {
    ...POLL,
    defaultText:
      'linear `https://api.linear.app/graphql`, github `https://api.github.com`, gitea `http://localhost:3000`',
    environment: '`GITHUB_API_BASE_URL`, `GITEA_BASE_URL`: used when the key is absent',
  }),
  project_slug: optional(
    text,
    'Linear project whose issues are worked on. Required for linear. `$VAR` allowed.',
    {
      ...POLL,
      defaultText: 'none',
    },
  ),
  team_key: optional(text, 'Linear team; narrows the lookup of workflow states by name.', {
    ...POLL,
    defaultText: 'none',
  }),
  assignee: optional(
    text,
    'Only issues assigned to this user id, or to `me`, are dispatched. `$VAR` allowed.',
    {
      ...POLL,
      defaultText: 'anyone',
      environment: '`LINEAR_ASSIGNEE`: used when the key is absent, in the Symphony dialect only',
    },
  ),
  path: optional(text, 'Folder of Markdown issues (kind local), relative to the workflow file.', {
    ...POLL,
    defaultText: '`issues`',
  }),
  issue_prefix: optional(text, 'Prefix of new issue identifiers (kind local): `TASK` gives `TASK-1`.', {
    ...POLL,
    defaultText: '`TASK`',
  }),
};

const providerKeys = {
  ...sharedKeys,
  token: optional(text, 'GitHub: another name for `api_key`.', {
    ...POLL,
    secret: true,
    defaultText: 'none',
  }),
  api_url: optional(text, 'GitHub: another name for `endpoint`.', { ...POLL, defaultText: 'none' }),
  repo: optional(text, 'GitHub and Gitea: `owner/name` of the repository whose issues are read.', {
    ...POLL,
    defaultText: 'the `repo` block',
    environment: '`GITHUB_REPO`: used when neither this nor a `repo` block is written',
  }),
};

export const FLAT_TRACKER_KEYS: readonly string[] = Object.keys(sharedKeys);
export const PROVIDER_KEYS: readonly string[] = Object.keys(providerKeys);

/** Keys that are handed to the adapter as they are; it judges their values. */
const adapterKeys = {
  state_labels: optional(
    z.record(z.string(), z.unknown()),
    'Gitea: which label stands for which state, in order of precedence.',
    {
      ...POLL,
      defaultText: 'the `aiops/*` table',
    },
  ),
  pull_request_claims: optional(
    z.union([z.boolean(), text]),
    'GitHub: whether an open pull request holds back the issues it would close.',
    {
      ...POLL,
      defaultText: '`true`',
    },
  ),
  allow_terminal: optional(
    z.union([z.boolean(), text]),
    'Whether an agent may move its issue into a terminal state.',
    {
      ...POLL,
      defaultText: '`true`',
    },
  ),
  identifier_prefix: optional(
    text,
    'GitHub and Gitea: what an identifier starts with; `GH-` gives `GH-12`.',
    {
      ...POLL,
      defaultText: '`#`',
    },
  ),
};

const provider = z
  .looseObject({ ...providerKeys, ...adapterKeys })
  .optional()
  .meta({
    ...POLL,
    description:
      "The tracker's own keys, as Symphony writes them. Each may be written here or flat under `tracker`, not both. " +
      'Keys this worker does not know are kept for the adapter and reported.',
  });

export const trackerBlock = block(
  {
    kind: optional(text, 'Which tracker: `local`, `linear`, `github` or `gitea`. Required.', {
      ...POLL,
      defaultText: 'none',
      enum: ['local', 'linear', 'github', 'gitea'],
    }),
    provider,
    ...sharedKeys,
    active_states: withDefault(texts, DEFAULT_ACTIVE_STATES, 'States whose issues are worked on.', POLL),
    terminal_states: withDefault(
      texts,
      DEFAULT_TERMINAL_STATES,
      'States that end an issue: its run stops, its workspace is removed, and it no longer blocks others.',
      POLL,
    ),
    inactive_states: optional(texts, 'States that stop a run and keep its workspace.', {
      ...POLL,
      defaultText: 'linear and local `Backlog`, `Human Review`; gitea `Human Review`, `Merging`; github none',
    }),
    required_labels: withDefault(
      texts,
      [],
      'An issue needs all of these labels to start and to keep running. A blank entry matches no issue.',
      POLL,
    ),
    trust: trustBlock,
    pagination_max_pages: withDefault(
      notNegative,
      0,
      "Most pages of one listing; 0 means the adapter's own limit (github 10, gitea 20, linear 200).",
      POLL,
    ),
  },
  'Where issues come from.',
);
