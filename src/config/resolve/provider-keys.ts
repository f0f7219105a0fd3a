import { FLAT_TRACKER_KEYS, PROVIDER_KEYS } from '../schema/tracker.ts';
import { type Resolution, variableName } from './context.ts';
import type { TrackerKind } from './tracker-kinds.ts';

/** Reads a key written flat, under `tracker.provider`, or there by another name. */
export class ProviderKeys {
  readonly #at: Resolution;
  readonly #aliases: Readonly<Record<string, string>>;
  readonly #unused: readonly string[];

  constructor(at: Resolution, facts: TrackerKind | undefined) {
    this.#at = at;
    this.#aliases = facts?.aliases ?? {};
    this.#unused = facts?.unused ?? [];
  }

  /** The key as people wrote it, for messages. */
  keyOf(name: string): string {
    const flat = FLAT_TRACKER_KEYS.includes(name) ? `tracker.${name}` : `tracker.provider.${name}`;
    return this.#places(name)[0] ?? flat;
  }

  /** Expanded and trimmed; blank is the same as absent. */
  text(name: string): string | null {
    const raw = this.raw(name);
    const value = raw === null ? null : this.#at.expand(this.keyOf(name), raw);
    return value === null || value.trim() === '' ? null : value.trim();
  }

  /** As written; null also for a key that means nothing to this kind. */
  raw(name: string): string | null {
    if (this.#unused.includes(name)) return null;
    const places = this.#places(name);
    const [first, second] = places;
    if (first !== undefined && second !== undefined) {
      this.#at.problem(
        second,
        `${first} and ${second} say the same thing`,
        'Keep one of the two.',
        'invalid_tracker_config',
      );
    }
    if (first === undefined) return null;
    const { tracker } = this.#at.written;
    const holder: Readonly<Record<string, unknown>> = first.startsWith('tracker.provider.')
      ? (tracker.provider ?? {})
      : tracker;
    const value = holder[first.slice(first.lastIndexOf('.') + 1)];
    if (typeof value !== 'string') return null;
    for (const key of [`tracker.${name}`, `tracker.provider.${name}`]) {
      this.#at.from(key, 'workflow', variableName(value));
    }
    return value;
  }

  /** What the schema does not know: kept for the adapter. */
  unknown(): Record<string, unknown> {
    const provider = this.#at.written.tracker.provider ?? {};
    return Object.fromEntries(Object.entries(provider).filter(([name]) => !PROVIDER_KEYS.includes(name)));
  }

  #places(name: string): string[] {
    const alias = this.#aliases[name];
    const places = [`tracker.provider.${name}`];
    if (FLAT_TRACKER_KEYS.includes(name)) places.unshift(`tracker.${name}`);
    if (alias !== undefined) places.push(`tracker.provider.${alias}`);
    return places.filter((place) => this.#at.has(place));
  }
}
