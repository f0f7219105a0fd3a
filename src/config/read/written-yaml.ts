import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  type YAMLMap,
} from 'yaml';
import { isYamlTooDeep } from '../../domain/nesting.ts';
import { explainYamlError } from './yaml-errors.ts';

/** A fault of the YAML text itself. */
export interface YamlFault {
  readonly line: number;
  readonly key: string | null;
  readonly message: string;
  readonly hint: string;
}

/** YAML as plain values, with what is lost in them: where each key stands and how a scalar was spelt. */
export interface WrittenYaml {
  /** False when the text is not YAML at all; then there are no keys to say anything about. */
  readonly readable: boolean;
  readonly value: unknown;
  /** Line of the file by dotted key. */
  readonly lines: ReadonlyMap<string, number>;
  /** Spelling by dotted key, for scalars that are not text: `1.10` is the number 1.1. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly faults: readonly YamlFault[];
}

/** More than any real file has; stops aliases that multiply. */
const MAX_NODES = 50_000;
const MAX_DEPTH = 100;
const MAX_FAULTS = 20;
const MAX_TOKENS = 5_000;
const TOO_DEEP = 'the front matter is nested too deeply, or indented too far';

/** Null map values are left out: an empty key is the same as no key. */
export function readYaml(text: string, firstLine: number): WrittenYaml {
  const lineCounter = new LineCounter();
  const lineAt = (offset: number) => lineCounter.linePos(offset).line + firstLine - 1;
  let documents: Document.Parsed[];
  // The parser recurses; so deep a text would take the process down instead of failing.
  if (isYamlTooDeep(text))
    return unreadable([{ line: firstLine, key: null, message: TOO_DEEP, hint: 'Write it flatter.' }]);
  try {
    documents = compose(text, lineCounter);
  } catch {
    return unreadable([{ line: firstLine, key: null, ...explainYamlError('') }]);
  }
  const [document, second] = documents;
  const errors = document?.errors ?? [];
  if (errors.length > 0) {
    const faults = errors.slice(0, MAX_FAULTS).map((error) => {
      return { line: lineAt(error.pos[0]), key: null, ...explainYamlError(error.code) };
    });
    return unreadable(faults);
  }
  if (second !== undefined) {
    return unreadable([{ line: lineAt(second.range[0]), key: null, ...explainYamlError('MULTIPLE_DOCS') }]);
  }
  const walker = new YamlWalker(lineAt);
  const value = walker.walk(document?.contents, '', 0);
  return { readable: true, value, lines: walker.lines, spellings: walker.spellings, faults: walker.faults };
}

/** Stops early in text that is no YAML: the library would list every fault of it, however many there are. */
function compose(text: string, lineCounter: LineCounter): Document.Parsed[] {
  function* start(tokens: Iterable<CST.Token>): Generator<CST.Token> {
    let errors = 0;
    let count = 0;
    for (const token of tokens) {
      yield token;
      count += 1;
      errors += token.type === 'error' ? 1 : 0;
      if (errors >= MAX_FAULTS) return;
      if (count > MAX_TOKENS) throw new Error('too many tokens outside of any value');
    }
  }
  // Its own duplicate check compares each key with every other; ours is done while walking.
  const composer = new Composer({
    prettyErrors: false,
    uniqueKeys: false,
    logLevel: 'error',
  });
  const parser = new Parser(lineCounter.addNewLine);
  return [...composer.compose(start(parser.parse(text)), true, text.length)];
}

function unreadable(faults: readonly YamlFault[]): WrittenYaml {
  return { readable: false, value: {}, lines: new Map(), spellings: new Map(), faults };
}

class YamlWalker {
  readonly lines = new Map<string, number>();
  readonly spellings = new Map<string, string>();
  readonly faults: YamlFault[] = [];
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  readonly #lineAt: (offset: number) => number;
  #nodes = 0;

  constructor(lineAt: (offset: number) => number) {
    this.#lineAt = lineAt;
  }

  walk(node: unknown, path: string, depth: number): unknown {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES || depth > MAX_DEPTH) {
      this.#fault(
        node,
        path,
        'the front matter is too large once its aliases are expanded',
        'Use fewer aliases.',
      );
      return undefined;
    }
    if (isAlias(node)) return this.#walkAlias(node.source, node, path, depth);
    if (isScalar(node)) return this.#walkScalar(node, path);
    if (!isMap(node) && !isSeq(node)) return null;
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    const value = isMap(node) ? this.#walkMap(node, path, depth) : this.#walkList(node.items, path, depth);
    this.#open.delete(node);
    return value;
  }

  #walkScalar(node: Node & { value: unknown; source?: string }, path: string): unknown {
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (typeof node.value !== 'string' && node.value !== null) {
      this.spellings.set(path, node.source ?? String(node.value));
    }
    return typeof node.value === 'bigint' ? Number(node.value) : node.value;
  }

  #walkList(items: readonly unknown[], path: string, depth: number): unknown[] {
    return items.map((item, index) => {
      const place = `${path}[${index}]`;
      this.#place(place, item);
      return this.walk(item, place, depth + 1);
    });
  }

  #walkAlias(name: string, alias: unknown, path: string, depth: number): unknown {
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.#fault(
        alias,
        path,
        `${path} refers to an anchor that is not defined above it`,
        'Define the anchor first.',
      );
      return undefined;
    }
    if (this.#open.has(target)) {
      this.#fault(alias, path, `${path} contains itself through an alias`, 'Write the value out instead.');
      return undefined;
    }
    return this.walk(target, path, depth + 1);
  }

  #walkMap(map: YAMLMap, path: string, depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {};
    const merged: Record<string, unknown> = {};
    const seen = new Map<string, number>();
    for (const pair of map.items) {
      if (!isPair(pair)) continue;
      const name = this.#keyName(pair, path);
      if (name === null) continue;
      const place = path === '' ? name : `${path}.${name}`;
      const line = this.#place(place, pair.key);
      const earlier = seen.get(name);
      if (earlier !== undefined) {
        this.#fault(
          pair.key,
          place,
          `${place} is written twice, on lines ${earlier} and ${line}`,
          'Keep one of the two.',
        );
        continue;
      }
      seen.set(name, line);
      if (name === '<<') this.#merge(merged, pair.value, path, depth);
      else setOwn(result, name, this.walk(pair.value, place, depth + 1));
    }
    for (const [name, value] of Object.entries(merged))
      if (!Object.hasOwn(result, name)) setOwn(result, name, value);
    for (const [name, value] of Object.entries(result)) if (value === null) delete result[name];
    return result;
  }

  /** `<<: *base` and `<<: [*a, *b]`: the keys of the maps, where the map itself has none; the first one wins. */
  #merge(into: Record<string, unknown>, source: unknown, path: string, depth: number): void {
    const value = this.walk(source, path, depth + 1);
    for (const map of Array.isArray(value) ? value : [value]) {
      if (map === null || typeof map !== 'object' || Array.isArray(map)) {
        this.#fault(
          source,
          path,
          `<< under ${path || 'the top level'} is not a map`,
          'Merge only maps, as in <<: *base.',
        );
        continue;
      }
      for (const [name, inner] of Object.entries(map))
        if (!Object.hasOwn(into, name)) setOwn(into, name, inner);
    }
  }

  #keyName(pair: Pair, path: string): string | null {
    const key = isAlias(pair.key) ? this.#anchors.get(pair.key.source) : pair.key;
    if (isScalar(key) && key.value !== null)
      return typeof key.value === 'string' ? key.value : (key.source ?? '');
    this.#fault(
      pair.key,
      path,
      `a key under ${path || 'the top level'} is not text`,
      'Write keys as plain words.',
    );
    return null;
  }

  #place(path: string, node: unknown): number {
    const line = this.#lineOf(node);
    this.lines.set(path, line);
    return line;
  }

  #lineOf(node: unknown): number {
    const range = node !== null && typeof node === 'object' && 'range' in node ? node.range : null;
    const offset = Array.isArray(range) && typeof range[0] === 'number' ? range[0] : 0;
    return this.#lineAt(offset);
  }

  #fault(node: unknown, path: string, message: string, hint: string): void {
    if (this.faults.length >= MAX_FAULTS) return;
    this.faults.push({ line: this.#lineOf(node), key: path === '' ? null : path, message, hint });
  }
}

/** Sets a key even when its name is `__proto__`. */
function setOwn(target: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
