import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from './program.mjs';

const RULE = `\n\n${'-'.repeat(80)}\n\n`;

/** The licences of the packages that the modules come from, as their authors wrote them; each package once. */
export function noticesOf(modulePaths) {
  const folders = new Set(modulePaths.map(packageFolderOf).filter((folder) => folder !== null));
  const notices = [...folders].map(readNotice).sort((a, b) => (a.title < b.title ? -1 : 1));
  const head = 'This program contains the following packages.';
  return `${[head, ...notices.map(({ title, text }) => `${title}\n\n${text.trim()}`)].join(RULE)}\n`;
}

/** The folder below the last `node_modules`; null for a module of our own. */
function packageFolderOf(path) {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? null;
}

function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  if (files.length === 0 || typeof license !== 'string')
    throw new SetupError(`${name} comes without a licence that can be passed on; do not bundle it`);
  const text = files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n\n');
  return { title: `${name} ${version} (${license})`, text };
}
