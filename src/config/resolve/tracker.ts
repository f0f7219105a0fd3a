import { nearest } from '../../domain/nearest.ts';
import { includesState } from '../../domain/state-name.ts';
import type { RepoConfig, TrackerConfig } from '../config.ts';
import { quote } from '../read/problem.ts';
import { type Resolution, variableName } from './context.ts';
import { ProviderKeys } from './provider-keys.ts';
import { Secret } from './secret.ts';
import { TRACKER_KINDS, type TrackerKind } from './tracker-kinds.ts';
import { resolveTrust } from './trust.ts';

const INVALID = 'invalid_tracker_config';

type Named = Pick<RepoConfig, 'owner' | 'name' | 'cloneUrl'>;

/** The tracker settings; the flat keys and `tracker.provider` are one set. */
export function resolveTracker(at: Resolution, repo: Named | null): TrackerConfig {
  const { tracker } = at.written;
  const kind = resolveKind(at);
  const facts = Object.hasOwn(TRACKER_KINDS, kind) ? TRACKER_KINDS[kind] : undefined;
  const keys = new ProviderKeys(at, facts);
  if (facts !== undefined) reportUnused(at, kind, facts);
  const credential = facts === undefined ? NO_CREDENTIAL : resolveCredential(at, keys, kind, facts);
  const endpoint = facts === undefined ? null : resolveEndpoint(at, keys, facts);
  const states = resolveStates(at, facts);
  const projectSlug = keys.text('project_slug');
  if (kind === 'linear' && (keys.raw('project_slug') ?? '').trim() === '') {
    at.problem(
      'tracker.project_slug',
      'tracker.project_slug is required for linear',
      "Set it to the last part of the project's address in Linear.",
      INVALID,
    );
  }
  const assignee = keys.text('assignee') ?? fallbackAssignee(at, kind);
  const provider: Record<string, unknown> = { ...keys.unknown() };
  const named = { endpoint, project_slug: projectSlug, team_key: keys.text('team_key'), assignee };
  for (const [name, value] of Object.entries(named)) if (value !== null) provider[name] = value;
  if (kind === 'local') Object.assign(provider, resolveLocal(at, keys));
  if (facts?.needsRepository === true) Object.assign(provider, resolveRepository(at, keys, kind, repo));
  return {
    kind,
    provider,
    ...credential,
    endpoint,
    projectSlug,
    teamKey: named.team_key,
    assignee,
    ...states,
    requiredLabels: [...new Set(tracker.required_labels.map((label) => label.trim().toLowerCase()))],
    trust: resolveTrust(at, kind),
    paginationMaxPages: tracker.pagination_max_pages,
  };
}

function resolveKind(at: Resolution): string {
  const kinds = Object.keys(TRACKER_KINDS);
  const kind = at.written.tracker.kind ?? '';
  if (kind.trim() === '') {
    at.problem(
      'tracker.kind',
      'tracker.kind is not set',
      `Write tracker: {kind: …} with one of ${kinds.join(', ')}.`,
      'unsupported_tracker_kind',
    );
  } else if (!kinds.includes(kind)) {
    const meant = nearest(kind, kinds);
    at.problem(
      'tracker.kind',
      `tracker.kind ${quote(kind)} is not supported`,
      meant === null
        ? `Use one of ${kinds.join(', ')}.`
        : `Did you mean ${meant}? Supported: ${kinds.join(', ')}.`,
      'unsupported_tracker_kind',
    );
  }
  return kind;
}

function reportUnused(at: Resolution, kind: string, facts: TrackerKind): void {
  for (const name of facts.unused) {
    for (const key of [`tracker.${name}`, `tracker.provider.${name}`]) {
      if (at.has(key)) at.warn(key, `${key} has no effect for kind ${kind}`, 'Remove it.');
    }
  }
  for (const key of ['tracker.project_slug', 'tracker.provider.project_slug']) {
    if (kind === 'gitea' && at.has(key)) {
      at.problem(
        key,
        `${key} is not a gitea key`,
        'Remove it: gitea reads repo.owner and repo.name.',
        INVALID,
      );
    }
  }
}

const NO_CREDENTIAL = { apiKey: null, apiKeyVariable: null };

function resolveCredential(
  at: Resolution,
  keys: ProviderKeys,
  kind: string,
  facts: TrackerKind,
): Pick<TrackerConfig, 'apiKey' | 'apiKeyVariable'> {
  const fallback = facts.secretVariable;
  if (fallback === null) return NO_CREDENTIAL;
  const key = keys.keyOf('api_key');
  const raw = keys.raw('api_key');
  if (raw !== null && raw.trim() !== '') {
    const variable = variableName(raw);
    const value = at.expand(key, raw, 'missing_tracker_secret');
    if (variable === null) {
      at.warn(
        key,
        `${key} holds the credential itself`,
        `Put it into a variable and write ${key}: $${fallback}.`,
      );
    }
    return { apiKey: value === null ? null : new Secret(value.trim()), apiKeyVariable: variable };
  }
  const value = at.variable(fallback);
  if (value === null) {
    const message = `${kind} needs a credential: ${key} is not written and ${fallback} is not set`;
    at.problem(
      key,
      message,
      `Set ${fallback}, or name another variable with ${key}: $NAME.`,
      'missing_tracker_secret',
    );
    return NO_CREDENTIAL;
  }
  at.from('tracker.api_key', 'env', fallback);
  return { apiKey: new Secret(value.trim()), apiKeyVariable: fallback };
}

function resolveEndpoint(at: Resolution, keys: ProviderKeys, facts: TrackerKind): string | null {
  const key = keys.keyOf('endpoint');
  const written = keys.text('endpoint');
  const fromVariable = facts.endpointVariable === null ? null : at.variable(facts.endpointVariable);
  if (written === null && fromVariable !== null) at.from('tracker.endpoint', 'env', facts.endpointVariable);
  const endpoint = (written ?? fromVariable ?? facts.endpoint)?.trim() ?? null;
  if (endpoint === null) return null;
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const where = written === null && fromVariable !== null ? `${facts.endpointVariable}` : key;
    at.problem(key, `${where} is not an http or https address`, `Write it like ${facts.endpoint}.`, INVALID);
  } else if (url.protocol === 'http:' && !/^(localhost|127\.|\[::1\])/.test(url.hostname)) {
    at.warn(
      key,
      `${key} sends the credential without encryption`,
      'Use https unless the network is trusted.',
    );
  }
  return endpoint.replace(/\/+$/, '');
}

function resolveStates(
  at: Resolution,
  facts: TrackerKind | undefined,
): Pick<TrackerConfig, 'activeStates' | 'terminalStates' | 'inactiveStates'> {
  const { tracker } = at.written;
  const clean = (names: readonly string[]) => names.map((name) => name.trim()).filter((name) => name !== '');
  const activeStates = clean(tracker.active_states);
  const terminalStates = clean(tracker.terminal_states);
  for (const [key, states] of [
    ['tracker.active_states', activeStates],
    ['tracker.terminal_states', terminalStates],
  ] as const) {
    if (states.length === 0)
      at.problem(key, `${key} names no state`, 'Name at least one, or remove the key.', INVALID);
  }
  const both = activeStates.filter((name) => includesState(terminalStates, name));
  if (both.length > 0) {
    const message = `tracker.active_states and tracker.terminal_states both name ${both.map(quote).join(', ')}`;
    at.problem(
      'tracker.active_states',
      message,
      'A state is one or the other: remove it from one list.',
      INVALID,
    );
  }
  const written = tracker.inactive_states;
  const candidates =
    written === undefined || written.length === 0 ? (facts?.inactiveStates ?? []) : clean(written);
  const inactiveStates = candidates.filter(
    (name) => !includesState([...activeStates, ...terminalStates], name),
  );
  return { activeStates, terminalStates, inactiveStates };
}

function fallbackAssignee(at: Resolution, kind: string): string | null {
  if (kind !== 'linear' || at.dialect !== 'symphony') return null;
  const value = at.variable('LINEAR_ASSIGNEE');
  if (value !== null) at.from('tracker.assignee', 'env', 'LINEAR_ASSIGNEE');
  return value;
}

function resolveLocal(at: Resolution, keys: ProviderKeys): Record<string, unknown> {
  const prefix = keys.text('issue_prefix') ?? 'TASK';
  if (!/^[A-Za-z][A-Za-z0-9_-]{0,31}$/.test(prefix)) {
    const key = keys.keyOf('issue_prefix');
    at.problem(
      key,
      `${key} ${quote(prefix)} is not a short word`,
      'Use letters and digits, such as TASK.',
      INVALID,
    );
  }
  const path = keys.raw('path')?.trim() ?? '';
  const folder = at.expandPath(keys.keyOf('path'), path === '' ? 'issues' : path);
  return { path: folder ?? at.absolute('issues'), issue_prefix: prefix };
}

function resolveRepository(
  at: Resolution,
  keys: ProviderKeys,
  kind: string,
  repo: Named | null,
): Record<string, unknown> {
  const fromBlock = repo?.owner && repo.name ? `${repo.owner}/${repo.name}` : null;
  const fromVariable = repo === null && kind === 'github' ? at.variable('GITHUB_REPO') : null;
  const written = keys.text('repo');
  if (written === null && fromVariable !== null) at.from('tracker.provider.repo', 'env', 'GITHUB_REPO');
  const repository = written ?? fromBlock ?? fromVariable;
  if (repository === null) {
    if (repo === null || repo.cloneUrl !== '') {
      const message = `${kind} needs to know whose issues to read`;
      at.problem(
        'repo.owner',
        message,
        'Set repo.owner and repo.name, or tracker.provider.repo: owner/name.',
        INVALID,
      );
    }
    return {};
  }
  if (!/^[^/\s]+\/[^/\s]+$/.test(repository)) {
    const key = written === null ? 'repo.name' : keys.keyOf('repo');
    at.problem(key, `${key}: ${quote(repository)} is not owner/name`, 'Write it like octo-org/app.', INVALID);
  }
  return { repo: repository };
}
