import { nearest } from '../../domain/nearest.ts';
import { includesState } from '../../domain/state-name.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { TrackerConfig } from '../config.ts';
import { quote } from '../read/problem.ts';
import { readKey } from '../schema/settings.ts';
import { trustKey } from '../schema/trust.ts';
import { type Resolution, variableName } from './context.ts';
import { ProviderKeys } from './provider-keys.ts';
import { Secret } from './secret.ts';

const INVALID = 'invalid_tracker_config';

/** The tracker settings; the flat keys and `tracker.provider` are one set. */
export function resolveTracker(at: Resolution): TrackerConfig {
  const { tracker } = at.written;
  const kind = resolveKind(at);
  const keys = new ProviderKeys(at);
  keys.reportUnused();
  const credential = resolveCredential(at, keys);
  const endpoint = resolveEndpoint(at, keys);
  const assignee = keys.text('assignee') ?? assigneeOfVariable(at);
  const named = Object.entries({ endpoint, assignee }).filter(([, value]) => value !== null);
  const provider = { ...keys.settings(), ...Object.fromEntries(named) };
  const { scope } = at.trackerKind ?? {};
  const textOf = (name: string | undefined) => {
    const value = name === undefined ? null : provider[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    kind,
    provider,
    ...credential,
    endpoint,
    assignee,
    place: textOf(scope?.key),
    part: textOf(scope?.part),
    isFolder: scope?.isFolder === true,
    hasOneAssignee: at.trackerKind?.hasOneAssignee === true,
    forAgents: settingOfAgents(at),
    ...resolveStates(at),
    requiredLabels: [...new Set(tracker.required_labels.map((label) => label.trim().toLowerCase()))],
    trust: readKey(at, trustKey, tracker.trust, 'tracker.trust') as TrustRules | null,
    paginationMaxPages: tracker.pagination_max_pages,
  };
}

/** The setting of the key that the tracker has in the block of an agent; null when it has none. */
function settingOfAgents(at: Resolution): unknown {
  const own = at.trackerKind?.keyOfAgents;
  if (own === undefined) return null;
  const key = `${own.section}.${own.name}`;
  return readKey(at, own.key, at.valueAt(key), key);
}

function resolveKind(at: Resolution): string {
  const kinds = at.format.kinds.trackers.map((tracker) => tracker.kind);
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

const NO_CREDENTIAL = { apiKey: null, apiKeyVariable: null };

function resolveCredential(
  at: Resolution,
  keys: ProviderKeys,
): Pick<TrackerConfig, 'apiKey' | 'apiKeyVariable'> {
  const { kind, credential = null } = at.trackerKind ?? {};
  if (credential === null) return NO_CREDENTIAL;
  const fallback = credential.variable;
  const key = keys.keyOf('api_key');
  const raw = keys.value('api_key');
  if (typeof raw === 'string' && raw.trim() !== '') {
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

function resolveEndpoint(at: Resolution, keys: ProviderKeys): string | null {
  const { endpoint: facts = null } = at.trackerKind ?? {};
  if (facts === null) return null;
  const key = keys.keyOf('endpoint');
  const written = keys.text('endpoint');
  const fromVariable = facts.variable === null ? null : at.variable(facts.variable);
  if (written === null && fromVariable !== null) at.from('tracker.endpoint', 'env', facts.variable);
  const endpoint = (written ?? fromVariable ?? facts.usual).trim();
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const where = written === null && fromVariable !== null ? `${facts.variable}` : key;
    at.problem(key, `${where} is not an http or https address`, `Write it like ${facts.usual}.`, INVALID);
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
    written === undefined || written.length === 0 ? (at.trackerKind?.inactiveStates ?? []) : clean(written);
  const inactiveStates = candidates.filter(
    (name) => !includesState([...activeStates, ...terminalStates], name),
  );
  return { activeStates, terminalStates, inactiveStates };
}

function assigneeOfVariable(at: Resolution): string | null {
  const name = at.trackerKind?.assigneeVariable;
  if (name === undefined || at.dialect !== 'symphony') return null;
  const value = at.variable(name);
  if (value !== null) at.from('tracker.assignee', 'env', name);
  return value;
}
