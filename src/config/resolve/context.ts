import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { ErrorCode } from '../../errors/codes.ts';
import type { ConfigSecret, RepoConfig } from '../config.ts';
import type { Dialect, TrackerSettings } from '../kinds.ts';
import { type Environment, nonBlank, variableIn } from '../read/environment.ts';
import { isMap } from '../read/is-map.ts';
import type { ConfigProblem } from '../read/problem.ts';
import { leafKeys, secretKeys } from '../schema/shape.ts';
import type { WorkflowFormat, WrittenWorkflow } from '../schema/workflow.ts';
import type { Provenance, ProvenanceEntry } from './provenance.ts';

export interface Overrides {
  /** From `--port`: wins over the file for the life of the process. */
  readonly port?: number;
}

export interface ResolutionInput {
  readonly format: WorkflowFormat;
  readonly file: string;
  readonly environment: Environment;
  readonly overrides: Overrides;
  /** As written, converted to the types of the schema but not validated. */
  readonly raw: unknown;
  readonly lines: ReadonlyMap<string, number>;
  /** Keys already reported; follow-up problems about them are left out. */
  readonly badKeys: readonly string[];
}

/** What resolving one file gathers: problems, warnings, provenance; and how values are expanded. */
export class Resolution {
  readonly problems: ConfigProblem[] = [];
  readonly warnings: ConfigProblem[] = [];
  readonly #provenance = new Map<string, ProvenanceEntry>();
  readonly format: WorkflowFormat;
  readonly file: string;
  readonly directory: string;
  readonly environment: Environment;
  readonly overrides: Overrides;
  readonly dialect: Dialect;
  readonly written: WrittenWorkflow;
  /** Undefined when `tracker.kind` names none. */
  readonly trackerKind: TrackerSettings | undefined;
  /** The `repo` block as far as trackers need it; null without one. Known once that block is resolved. */
  repository: Pick<RepoConfig, 'owner' | 'name' | 'cloneUrl'> | null = null;
  /** Every state that the tracker settings name. Known once these are resolved. */
  stateNames: readonly string[] = [];
  /** Every credential of the file. Known once the tracker is resolved. */
  secrets: readonly ConfigSecret[] = [];
  /** Values that no message may show: of variables, and credentials written in the file. */
  readonly hidden = new Set<string>();
  readonly #input: ResolutionInput;

  constructor(written: WrittenWorkflow, input: ResolutionInput) {
    this.written = written;
    this.#input = input;
    this.format = input.format;
    this.file = input.file;
    this.directory = dirname(input.file);
    this.environment = input.environment;
    this.overrides = input.overrides;
    this.dialect = this.has('repo') ? 'go' : 'symphony';
    this.trackerKind = input.format.kinds.trackers.find(({ kind }) => kind === written.tracker.kind);
    for (const key of secretKeys(input.format.schema)) {
      const value = this.valueAt(key);
      if (typeof value === 'string' && variableName(value) === null) this.hidden.add(value).add(value.trim());
    }
    this.hidden.delete('');
  }

  /** The validated value of a dotted key; undefined when there is none. */
  valueAt(key: string): unknown {
    return key.split('.').reduce<unknown>((value, name) => {
      return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, this.written);
  }

  /** True when the file itself writes this key. */
  has(key: string): boolean {
    let value = this.#input.raw;
    for (const name of key.split('.')) {
      if (!isMap(value) || !Object.hasOwn(value, name)) return false;
      value = value[name];
    }
    return true;
  }

  /** The names written below a key, also those the schema refuses and those without a value. */
  namesUnder(key: string): readonly string[] {
    const map = key.split('.').reduce<unknown>((value, name) => {
      return isMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }, this.#input.raw);
    const empty = [...this.#input.lines.keys()].flatMap((place) => {
      const name = place.startsWith(`${key}.`) ? place.slice(key.length + 1) : '';
      return /^[^.[\]]+$/.test(name) ? [name] : [];
    });
    return [...new Set([...(isMap(map) ? Object.keys(map) : []), ...empty])];
  }

  problem(key: string, message: string, hint: string, code: ErrorCode = 'workflow_parse_error'): void {
    const known = this.#input.badKeys.some((bad) => covers(bad, key) || covers(key, bad));
    const repeated = this.problems.some((earlier) => earlier.key === key && earlier.message === message);
    if (!known && !repeated) this.problems.push(this.#describe(key, message, hint, code));
  }

  warn(key: string, message: string, hint: string): void {
    if (this.warnings.some((earlier) => earlier.key === key && earlier.message === message)) return;
    this.warnings.push(this.#describe(key, message, hint, 'workflow_parse_error'));
  }

  from(key: string, source: ProvenanceEntry['source'], variable: string | null = null): void {
    this.#provenance.set(key, { source, variable });
  }

  /** Whether a variable must not reach a child: by its name, or because it holds what a credential holds. */
  holdsCredential(name: string): boolean {
    const byName = this.format.kinds.trackers.some(({ credential }) =>
      [credential?.variable, ...(credential?.alsoNamed ?? [])].includes(name.toUpperCase()),
    );
    if (byName || this.secrets.some(({ variable }) => variable === name)) return true;
    const value = variableIn(this.environment, name)?.trim();
    return value !== undefined && this.secrets.some((secret) => secret.value?.reveal() === value);
  }

  /** For every key of the schema. */
  provenance(): Provenance {
    const entries = leafKeys(this.format.schema).map((key): [string, ProvenanceEntry] => {
      const written: ProvenanceEntry = { source: this.has(key) ? 'workflow' : 'default', variable: null };
      return [key, this.#provenance.get(key) ?? written];
    });
    return new Map([...entries, ...this.#provenance]);
  }

  /** The value of a whole-value `$VAR` or `${VAR}`, else the text itself; null after reporting an unset variable. */
  expand(key: string, text: string, code: ErrorCode = 'workflow_parse_error'): string | null {
    const name = variableName(text);
    if (name === null) return text;
    const value = this.variable(name);
    if (value === null) {
      const state = variableIn(this.environment, name) === undefined ? 'not set' : 'empty';
      this.problem(
        key,
        `${key} names the variable ${name}, which is ${state}`,
        `Set ${name} for the worker.`,
        code,
      );
      return null;
    }
    this.from(key, 'workflow', name);
    return value;
  }

  /** A variable that is set to more than white space, or null. Its value never shows in a message. */
  variable(name: string): string | null {
    const value = nonBlank(this.environment, name);
    if (value !== null && !PLACES.test(name)) this.hidden.add(value).add(value.trim());
    return value;
  }

  /**
   * An absolute path: `~` and every `$VAR` expanded, relative to the workflow file's directory; null after reporting why
   * not.
   */
  expandPath(key: string, text: string): string | null {
    const expanded = variableName(text) === null ? this.#expandInside(key, text) : this.expand(key, text);
    if (expanded === null) return null;
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(expanded.trim())) {
      this.problem(
        key,
        `${key} is an address, not a directory`,
        'Write the path of a directory on this machine.',
      );
      return null;
    }
    return this.absolute(expanded);
  }

  /** `$HOME/work`: each variable of a path in its place. */
  #expandInside(key: string, text: string): string | null {
    let whole = true;
    const expanded = text.replace(/\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/g, (_match, bare, braced) => {
      const part = this.expand(key, `$${bare ?? braced}`);
      if (part === null) whole = false;
      return part ?? '';
    });
    return whole ? expanded : null;
  }

  absolute(path: string): string {
    const home = /^~(?=\/|\\|$)/.test(path);
    return resolve(this.directory, home ? `${this.home}${path.slice(1)}` : path);
  }

  get home(): string {
    return nonBlank(this.environment, 'HOME') ?? homedir();
  }

  #describe(key: string, message: string, hint: string, code: ErrorCode): ConfigProblem {
    return { code, file: this.#input.file, line: lineOf(this.#input.lines, key), key, message, hint };
  }
}

/** Variables of every session that name a place, not a secret. */
const PLACES = /^(HOME|TMPDIR|PWD|XDG_[A-Z]+_HOME)$/;

/** The name in `$NAME` or `${NAME}`, or null for any other text. */
export function variableName(text: string): string | null {
  const match = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/.exec(text.trim());
  return match?.[1] ?? match?.[2] ?? null;
}

/** The line of a key, or of the nearest written key around it. */
export function lineOf(lines: ReadonlyMap<string, number>, key: string): number | null {
  for (let place = key; place !== ''; place = place.replace(/(\.[^.[]*|\[\d+\]|^[^.[]+)$/, '')) {
    const line = lines.get(place);
    if (line !== undefined) return line;
  }
  return null;
}

function covers(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}
