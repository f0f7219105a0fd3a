import { posix } from 'node:path';
import { type Import, importsOf } from './imports.ts';
import {
  ADAPTER_FOLDERS,
  CONFINEMENTS,
  IMPURE_NAMES,
  LAYERS,
  MAY_IMPORT_COMPUTED,
  MAY_NAME_ADAPTERS,
  MAY_SAY_KINDS,
  MODULE_HOMES,
  NAME_HOMES,
  OTHER_KIND_NAMES,
  ROOM_EXCEPTIONS,
  ROOMS,
  SHARED_BY_ADAPTERS,
} from './layers.ts';
import { type Token, tokenize } from './tokens.ts';

/** Source texts by path relative to the repository. */
export type Sources = ReadonlyMap<string, string>;

/** Every violation as `path:line: what is wrong and why`. */
export function boundaryViolations(
  sources: Sources,
  onException: (exception: string) => void = () => {},
): readonly string[] {
  const violations: string[] = [];
  const kinds = kindNames([...sources.keys()]);
  for (const [path, text] of sources) {
    const tokens = tokenize(text);
    for (const imported of importsOf(tokens)) {
      const problem = judgeImport(path, imported, sources, onException);
      if (problem !== null) violations.push(`${path}:${imported.line}: ${problem}`);
    }
    violations.push(...misplacedNames(path, tokens), ...saidKinds(path, tokens, kinds, onException));
  }
  return violations;
}

function judgeImport(
  path: string,
  imported: Import,
  sources: Sources,
  onException: (exception: string) => void,
): string | null {
  if (imported.target === null)
    return MAY_IMPORT_COMPUTED.includes(path) ? null : 'imports a computed target; name it';
  const isRelative = imported.target.startsWith('.');
  const target = isRelative ? posix.join(posix.dirname(path), imported.target) : imported.target;
  const isDeclaration = imported.typeOnly && target.endsWith('.d.ts');
  if (isRelative && !sources.has(target) && !isAsset(target) && !isDeclaration)
    return `imports ${target}, which is no source file`;
  return (
    judgeConfinement(path, target, imported) ??
    (isRelative
      ? (judgeLayer(path, target, onException) ?? judgeAdapter(path, target, onException))
      : judgeModule(path, target))
  );
}

function judgeConfinement(path: string, target: string, imported: Import): string | null {
  for (const { place, mayImport, mayImportTypes = [], reason } of CONFINEMENTS) {
    if (!path.startsWith(place)) continue;
    const isAllowed = (prefix: string) => matches(target, prefix);
    if (mayImport.some(isAllowed) || (imported.typeOnly && mayImportTypes.some(isAllowed))) continue;
    return `${place} may not import ${target}: ${reason}`;
  }
  return null;
}

/** A prefix that ends in `/` or `:` is a folder; anything else is one file or one package with its subpaths. */
function matches(target: string, prefix: string): boolean {
  return /[/:]$/.test(prefix)
    ? target.startsWith(prefix)
    : target === prefix || target.startsWith(`${prefix}/`);
}

function judgeLayer(path: string, target: string, onException: (exception: string) => void): string | null {
  const from = folderOf(path);
  const to = folderOf(target);
  if (!path.startsWith('src/')) return null;
  if (!target.startsWith('src/')) return `src/ may not import ${target}`;
  if (from === to) return judgeRoom(from, path, target, onException);
  const fromRank = rankOf(from);
  const toRank = rankOf(to);
  if (fromRank === -1 || toRank === -1) {
    return `src/${fromRank === -1 ? from : to} has no layer; give it one in layers.ts`;
  }
  if (toRank < fromRank) return null;
  return `src/${from} may not import src/${to}: ${toRank === fromRank ? 'they are siblings' : 'it is a higher layer'}`;
}

/** Between rooms of one folder, in the order that `ROOMS` gives them. */
function judgeRoom(
  folder: string,
  path: string,
  target: string,
  onException: (exception: string) => void,
): string | null {
  const rows = ROOMS[folder];
  const [from, to] = [roomOf(path), roomOf(target)];
  if (rows === undefined || from === null || to === null || from === to) return null;
  const rank = (room: string): number => rows.findIndex((row) => row.includes(room));
  const unknown = [from, to].find((room) => rank(room) === -1);
  if (unknown !== undefined) return `the room ${folder}/${unknown} has no place; give it one in layers.ts`;
  if (rank(to) < rank(from)) return null;
  const edge = `${folder}/${from} -> ${folder}/${to}`;
  if (edge in ROOM_EXCEPTIONS) {
    onException(edge);
    return null;
  }
  return `the room ${folder}/${from} may not import ${folder}/${to}: it is not below it`;
}

/** The sub-folder of src/ FOLDER that a file lies in; null for a file directly in the folder. */
function roomOf(path: string): string | null {
  const parts = path.split('/');
  return parts.length > 3 ? (parts[2] ?? null) : null;
}

function judgeAdapter(path: string, target: string, onException: (exception: string) => void): string | null {
  const adapter = adapterOf(target);
  if (adapter === null || adapterOf(path) === adapter) return null;
  const parent = ADAPTER_FOLDERS.find((folder) => adapter.startsWith(folder));
  if (path === `${parent}registry.ts`) return null;
  const about = MAY_NAME_ADAPTERS.find((entry) => entry.adapter === adapter && path.startsWith(entry.place));
  if (about !== undefined) {
    onException(`${about.place} -> ${about.adapter}`);
    return null;
  }
  return `only ${parent}registry.ts may name the adapter ${adapter}`;
}

function judgeModule(path: string, target: string): string | null {
  for (const [name, homes] of Object.entries(MODULE_HOMES)) {
    if (!matches(target.replace(/^(?=child_process|worker_threads|cluster)/, 'node:'), name)) continue;
    if (!homes.some((home) => path.startsWith(home)))
      return `${name} belongs to ${homes.join(', ') || 'nobody'}`;
  }
  return null;
}

/** Kinds are told apart by what they say of themselves: their names stand in their own folders only. */
function saidKinds(
  path: string,
  tokens: readonly Token[],
  kinds: ReadonlySet<string>,
  onException: (exception: string) => void,
): readonly string[] {
  if (!path.startsWith('src/') || adapterOf(path) !== null) return [];
  const said = tokens.filter(({ kind, text }) => kind === 'string' && kinds.has(text));
  if (said.length > 0 && Object.hasOwn(MAY_SAY_KINDS, path)) {
    onException(path);
    return [];
  }
  return said.map(({ text, line }) => `${path}:${line}: only its own folder may name the kind ${text}`);
}

function kindNames(paths: readonly string[]): ReadonlySet<string> {
  const folders = paths.map(adapterOf).filter((folder) => folder !== null);
  return new Set([...OTHER_KIND_NAMES, ...folders.map((folder) => folder.split('/').at(-2) ?? '')]);
}

function misplacedNames(path: string, tokens: readonly Token[]): readonly string[] {
  const found: string[] = [];
  for (const [name, homes] of Object.entries(NAME_HOMES)) {
    if (homes.some((home) => path.startsWith(home))) continue;
    for (const line of usesOf(name, tokens))
      found.push(`${path}:${line}: ${name} belongs to ${homes.join(', ') || 'nobody'}`);
  }
  if (path.startsWith(IMPURE_NAMES.place)) {
    for (const name of IMPURE_NAMES.names) {
      for (const line of usesOf(name, tokens, IMPURE_NAMES.pure))
        found.push(`${path}:${line}: ${name} makes a decision impure`);
    }
  }
  return found;
}

/** Lines where a name is used as a value: not as a property, not as a key, not as one of the excepted members. */
function usesOf(name: string, tokens: readonly Token[], except: readonly string[] = []): readonly number[] {
  const [first, member] = name.split('.');
  const lines: number[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'word' || token.text !== first) return;
    const previous = tokens[index - 1]?.text;
    const next = tokens[index + 1];
    if (previous === '.' || previous === '?.') return;
    if (next?.text === '.' && except.includes(`${name}.${tokens[index + 2]?.text}`)) return;
    if (member === undefined) {
      if (next?.text !== ':' && next?.text !== '?') lines.push(token.line);
    } else if ((next?.text === '.' || next?.text === '?.') && tokens[index + 2]?.text === member) {
      lines.push(token.line);
    }
  });
  return lines;
}

function folderOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function rankOf(folder: string): number {
  return LAYERS.findIndex((row) => row.some((layer) => layer.folder === folder));
}

/** The adapter folder a file belongs to, if any. */
function adapterOf(path: string): string | null {
  const parent = ADAPTER_FOLDERS.find((folder) => path.startsWith(folder));
  const name = parent === undefined ? undefined : path.slice(parent.length).match(/^[^/]+\//)?.[0];
  if (parent === undefined || name === undefined) return null;
  const folder = parent + name;
  return SHARED_BY_ADAPTERS.includes(folder) ? null : folder;
}

function isAsset(target: string): boolean {
  return /\.(?:css|svg|png|json|woff2)$/.test(target);
}
