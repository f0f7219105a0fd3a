import { posix } from 'node:path';
import { LAYERS, ROOMS } from './layers.ts';

const LINK = /\[[^\]]*\]\(([^)\s]+)\)/g;
const FENCE = /^```[\s\S]*?^```/gm;
const NPM_COMMAND = /\bnpm run (?:--\w+ )*([a-z][\w:-]*)/g;

/** Relative links of a Markdown page that lead to no file or folder of the repository. */
export function brokenLinks(path: string, text: string, files: readonly string[]): readonly string[] {
  const places = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));
  return [...text.replace(FENCE, '').matchAll(LINK)]
    .map((match) => match[1] ?? '')
    .filter((target) => !/^(?:[a-z]+:|#)/i.test(target))
    .filter(
      (target) => !places.has(posix.join(posix.dirname(path), target.replace(/#.*$/, '')).replace(/\/$/, '')),
    )
    .map((target) => `${path} links to ${target}, which does not exist`);
}

/** npm scripts a page tells its reader to run that package.json does not have. */
export function unknownCommands(path: string, text: string, scripts: readonly string[]): readonly string[] {
  return [...text.matchAll(NPM_COMMAND)]
    .map((match) => match[1] ?? '')
    .filter((name) => !scripts.includes(name))
    .map((name) => `${path} names npm run ${name}, which does not exist`);
}

function foldersOf(file: string): readonly string[] {
  const parts = file.split('/');
  return parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** The table of layers as ARCHITECTURE.md has to show it. */
export function layerTable(): string {
  const rows = LAYERS.flatMap((row, index) =>
    row.map(({ folder, holds, stricter }) => [
      `${index + 1}`,
      `\`${folder}\``,
      holds,
      stricter,
      roomsOf(folder),
    ]),
  );
  const head = ['Row', 'Folder', 'Holds', 'Stricter than its row', 'Rooms, lowest first'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function roomsOf(folder: string): string {
  return (ROOMS[folder] ?? []).map((row) => row.map((room) => `\`${room}\``).join(', ')).join(' → ');
}
