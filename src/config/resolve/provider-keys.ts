import type { z } from 'zod';
import type { TrackerSettings } from '../kinds.ts';
import { readKey } from '../schema/settings.ts';
import { flatTrackerKeys, providerKeys } from '../schema/tracker.ts';
import { type Resolution, variableName } from './context.ts';

/** Keys of a tracker with a credential or an address, which not every kind has. */
const OF_SERVERS: Readonly<Record<string, 'credential' | 'endpoint'>> = {
  api_key: 'credential',
  endpoint: 'endpoint',
};

/** Reads a key written flat, under `tracker.provider`, or there by another name. */
export class ProviderKeys {
  readonly #at: Resolution;
  readonly #kind: TrackerSettings | undefined;
  readonly #flat: z.ZodRawShape;
  readonly #all: z.ZodRawShape;

  constructor(at: Resolution) {
    this.#at = at;
    this.#kind = at.trackerKind;
    this.#flat = flatTrackerKeys(at.format.kinds.trackers);
    this.#all = providerKeys(at.format.kinds.trackers);
  }

  /** The settings of the kind's own keys and of what the schema does not know, under their written names. */
  settings(): Record<string, unknown> {
    const kind = this.#kind;
    const { provider = {} } = this.#at.written.tracker;
    const handedOn = Object.entries(provider).filter(([name]) => !Object.hasOwn(this.#all, name));
    const own = kind === undefined ? [] : Object.entries({ ...kind.flatKeys, ...kind.providerKeys });
    const aliases = Object.values(kind?.aliases ?? {});
    const read = [...own, ...Object.entries(this.#all).filter(([name]) => name === 'allow_terminal')]
      .filter(([name]) => !aliases.includes(name))
      .map(
        ([name, schema]) => [name, readKey(this.#at, schema, this.value(name), this.keyOf(name))] as const,
      );
    return Object.fromEntries([...handedOn, ...read].filter(([, value]) => value !== null));
  }

  /** The key as people wrote it, for messages. */
  keyOf(name: string): string {
    const flat = Object.hasOwn(this.#flat, name) ? `tracker.${name}` : `tracker.provider.${name}`;
    return this.#places(name)[0] ?? flat;
  }

  /** Expanded and trimmed; blank is the same as absent, and so is what means nothing to this kind. */
  text(name: string): string | null {
    const schema = this.#flat[name];
    const value = this.value(name);
    const setting = schema === undefined ? null : readKey(this.#at, schema, value, this.keyOf(name));
    return typeof setting === 'string' ? setting : null;
  }

  /** As it is written, validated. */
  value(name: string): unknown {
    if (!this.#isUsed(name)) return undefined;
    const [first, second] = this.#places(name);
    if (first !== undefined && second !== undefined) {
      this.#at.problem(
        second,
        `${first} and ${second} say the same thing`,
        'Keep one of the two.',
        'invalid_tracker_config',
      );
    }
    if (first === undefined) return undefined;
    const value = this.#at.valueAt(first);
    if (typeof value === 'string')
      for (const key of [`tracker.${name}`, `tracker.provider.${name}`])
        this.#at.from(key, 'workflow', variableName(value));
    return value;
  }

  /** Says which written keys mean nothing to this kind. */
  reportUnused(): void {
    const { kind, refusedKeys = {} } = this.#kind ?? {};
    if (kind === undefined) return;
    for (const name of Object.keys(this.#all)) {
      if (this.#isUsed(name)) continue;
      for (const key of [`tracker.${name}`, `tracker.provider.${name}`]) {
        if (!this.#at.has(key)) continue;
        const refusal = refusedKeys[name];
        if (refusal === undefined) this.#at.warn(key, `${key} has no effect for kind ${kind}`, 'Remove it.');
        else this.#at.problem(key, `${key} is not a ${kind} key`, refusal, 'invalid_tracker_config');
      }
    }
  }

  #isUsed(name: string): boolean {
    const kind = this.#kind;
    if (kind === undefined) return true;
    const needs = OF_SERVERS[name];
    if (needs !== undefined) return kind[needs] !== null;
    const belongsTo = this.#at.format.kinds.trackers.filter(
      ({ flatKeys, providerKeys: own }) => Object.hasOwn(flatKeys, name) || Object.hasOwn(own, name),
    );
    return belongsTo.length === 0 || belongsTo.includes(kind);
  }

  #places(name: string): string[] {
    const alias = this.#kind?.aliases[name];
    const places = [`tracker.provider.${name}`];
    if (Object.hasOwn(this.#flat, name)) places.unshift(`tracker.${name}`);
    if (alias !== undefined) places.push(`tracker.provider.${alias}`);
    return places.filter((place) => this.#at.has(place));
  }
}
