import { nearest } from '../../domain/nearest.ts';
import type { ErrorCode } from '../../errors/codes.ts';
import type { Kinds } from '../kinds.ts';
import { lineOf } from '../resolve/context.ts';
import type { UnknownKey } from './convert.ts';
import { type ConfigProblem, quote } from './problem.ts';
import { findRefusedKeys, hasNoEffect, isRefusedKey } from './removed-keys.ts';
import type { WrittenYaml } from './written-yaml.ts';

const MAX_UNKNOWN_KEYS = 25;

type Finding = Omit<ConfigProblem, 'file' | 'code'> & { readonly code?: ErrorCode };

/** Collects what is wrong before the keys are resolved. */
export class Report {
  readonly problems: ConfigProblem[] = [];
  readonly warnings: ConfigProblem[] = [];
  /** True when the keys could not be read, so that nothing can be said about them. */
  unreadable = false;
  readonly #file: string;

  readonly #kinds: Kinds;

  constructor(file: string, { kinds }: { readonly kinds: Kinds }) {
    this.#file = file;
    this.#kinds = kinds;
  }

  problem(finding: Finding): void {
    this.problems.push({ code: 'workflow_parse_error', file: this.#file, ...finding });
  }

  warning(finding: Finding): void {
    this.warnings.push({ code: 'workflow_parse_error', file: this.#file, ...finding });
  }

  unreadableBecause(
    line: number,
    message: string,
    rest: { readonly hint: string; readonly key?: string | null; readonly code?: ErrorCode },
  ): void {
    this.unreadable = true;
    const { hint, key = null, code = 'workflow_parse_error' } = rest;
    this.problem({ line, key, message, hint, code });
  }

  refusedKeys(written: WrittenYaml): void {
    for (const { key, message, guidance } of findRefusedKeys(this.#kinds, written.value)) {
      this.problem({ line: lineOf(written.lines, key), key, message, hint: guidance });
    }
  }

  unknownKeys(keys: readonly UnknownKey[], written: WrittenYaml): void {
    const unknown = keys.filter(({ key }) => !isRefusedKey(this.#kinds, key));
    for (const { key, name, known, kept } of unknown.slice(0, MAX_UNKNOWN_KEYS)) {
      const meant = nearest(name, known);
      const idle = hasNoEffect(this.#kinds, key);
      const fate = kept
        ? 'is not known here and is handed to the adapter as it is'
        : 'is not known and is ignored';
      const hint = meant === null ? `Known here: ${known.join(', ')}.` : `Did you mean ${meant}?`;
      this.warning({
        line: lineOf(written.lines, key),
        key,
        message: idle ? `${key} has no effect` : `${quote(key).slice(1, -1)} ${fate}`,
        hint: idle ? 'Remove it.' : hint,
      });
    }
    if (unknown.length > MAX_UNKNOWN_KEYS) {
      const message = `${unknown.length - MAX_UNKNOWN_KEYS} more keys are not known and are ignored`;
      this.warning({ line: null, key: null, message, hint: 'Is this the right file?' });
    }
  }
}
