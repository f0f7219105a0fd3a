import { z } from 'zod';
import type { TrackerSettings } from '../kinds.ts';
import { block, notNegative, optional, type Place, text, texts, withDefault } from './key.ts';
import { maskNamed } from './mask-named.ts';
import { trustKey } from './trust.ts';

const POLL = { applies: 'next poll' } as const;

export const DEFAULT_ACTIVE_STATES = ['Todo', 'In Progress'];
export const DEFAULT_TERMINAL_STATES = ['Closed', 'Cancelled', 'Canceled', 'Duplicate', 'Done'];

interface TextNotes {
  readonly defaultText?: string;
  readonly environment?: string;
  read?(written: string | undefined, place: Place): string | null;
}

/** A text among the keys of a tracker. */
export function trackerText(description: string, notes: TextNotes = {}) {
  return optional(text, description, { ...POLL, defaultText: 'none', read: readTrackerText, ...notes });
}

/** `$VAR` expanded, trimmed; blank is the same as absent. */
export function readTrackerText(written: string | undefined, { at, key }: Place): string | null {
  const value = written === undefined ? null : at.expand(key, written);
  return value === null || value.trim() === '' ? null : value.trim();
}

/** A key that is handed to the adapter as it is written; the adapter judges it. */
export function adapterKey<S extends z.ZodType>(schema: S, description: string, defaultText: string) {
  return optional(schema, description, { ...POLL, defaultText });
}

const code = (name: string) => `\`${name}\``;

/** Keys that every tracker may have, written flat or under `tracker.provider`. */
function sharedKeys(kinds: readonly TrackerSettings[]) {
  const signing = kinds.flatMap(({ credential }) => credential?.variable ?? []);
  const endpoints = kinds.flatMap(({ kind, endpoint }) => (endpoint === null ? [] : [{ kind, ...endpoint }]));
  const addresses = endpoints.flatMap(({ variable }) => variable ?? []);
  const assignees = kinds.flatMap(({ assigneeVariable }) => assigneeVariable ?? []);
  return {
    api_key: optional(
      text,
      'Credential for the tracker; write `$VAR` so that the file holds none. It never reaches an agent.',
      {
        ...POLL,
        secret: true,
        defaultText: `${either(signing.map((name) => code(`$${name}`)))}, by kind`,
        environment: `${signing.map(code).join(', ')}: used when the key is absent`,
      },
    ),
    endpoint: trackerText('Base address of the tracker API. `$VAR` allowed.', {
      defaultText: endpoints.map(({ kind, usual }) => `${kind} ${code(usual)}`).join(', '),
      environment: `${addresses.map(code).join(', ')}: used when the key is absent`,
    }),
    assignee: trackerText(
      'Only issues assigned to this user id, or to `me`, are dispatched. `$VAR` allowed.',
      {
        defaultText: 'anyone',
        environment: `${assignees.map(code).join(', ')}: used when the key is absent, in the Symphony dialect only`,
      },
    ),
  };
}

const allowTerminal = adapterKey(
  z.union([z.boolean(), text]),
  'Whether an agent may move its issue into a terminal state.',
  '`true`',
);

/** Every key that may be written flat: of all trackers, so that another kind's is told from a typing error. */
export function flatTrackerKeys(kinds: readonly TrackerSettings[]): z.ZodRawShape {
  return Object.assign({}, sharedKeys(kinds), ...kinds.map(({ flatKeys }) => flatKeys));
}

/** Every key that may be written under `tracker.provider`. */
export function providerKeys(kinds: readonly TrackerSettings[]): z.ZodRawShape {
  const own = kinds.map((kind) => kind.providerKeys);
  return Object.assign({}, flatTrackerKeys(kinds), ...own, { allow_terminal: allowTerminal });
}

function chosenKeys(kinds: readonly TrackerSettings[]) {
  const names = kinds.map(({ kind }) => kind);
  return {
    kind: optional(text, `Which tracker: ${either(names.map(code))}. Required.`, {
      ...POLL,
      defaultText: 'none',
      enum: names,
    }),
    provider: optional(
      z.looseObject(providerKeys(kinds)),
      "The tracker's own keys, as Symphony writes them. Each may be written here or flat under `tracker`, not both. " +
        'Keys this worker does not know are kept for the adapter and reported.',
      { ...POLL, show: maskNamed },
    ),
  };
}

function stateKeys(kinds: readonly TrackerSettings[]) {
  const paged = kinds.flatMap(({ kind, maxPages }) => (maxPages === null ? [] : `${kind} ${maxPages}`));
  return {
    active_states: withDefault(texts, DEFAULT_ACTIVE_STATES, 'States whose issues are worked on.', POLL),
    terminal_states: withDefault(
      texts,
      DEFAULT_TERMINAL_STATES,
      'States that end an issue: its run stops, its workspace is removed, and it no longer blocks others.',
      POLL,
    ),
    inactive_states: optional(texts, 'States that stop a run and keep its workspace.', {
      ...POLL,
      defaultText: inactiveStatesText(kinds),
    }),
    required_labels: withDefault(
      texts,
      [],
      'An issue needs all of these labels to start and to keep running. A blank entry matches no issue.',
      POLL,
    ),
    trust: trustKey,
    pagination_max_pages: withDefault(
      notNegative,
      0,
      `Most pages of one listing; 0 means the adapter's own limit (${paged.join(', ')}).`,
      POLL,
    ),
  };
}

export function trackerBlock(kinds: readonly TrackerSettings[]) {
  const chosen = chosenKeys(kinds);
  const states = stateKeys(kinds);
  const shape: typeof chosen & ReturnType<typeof sharedKeys> & typeof states = Object.assign(
    {},
    chosen,
    flatTrackerKeys(kinds) as ReturnType<typeof sharedKeys>,
    states,
  );
  return block(shape, 'Where issues come from.');
}

/** Kinds with the same states are named together. */
function inactiveStatesText(kinds: readonly TrackerSettings[]): string {
  const byStates = new Map<string, string[]>();
  for (const { kind, inactiveStates } of kinds) {
    const states = inactiveStates.length === 0 ? 'none' : inactiveStates.map(code).join(', ');
    byStates.set(states, [...(byStates.get(states) ?? []), kind]);
  }
  return [...byStates].map(([states, names]) => `${names.join(' and ')} ${states}`).join('; ');
}

export function either(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
