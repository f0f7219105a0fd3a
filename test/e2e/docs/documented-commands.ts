import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Something that the documentation tells people to type. */
export interface DocumentedCommand {
  /** As it stands, without a comment at its end. */
  readonly text: string;
  readonly file: string;
  /** What a console block shows as its answer; null where none is shown. */
  readonly output: string | null;
}

/** The pages of users; decision records and change logs tell of other times. */
function pages(): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith('docs/adr/') && !/(^|\/)(WORKFLOW|TASK-\d+)\.md$/.test(path));
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...below('docs'), ...below('examples')];
}

interface Block {
  readonly file: string;
  readonly language: string;
  readonly lines: readonly string[];
}

export function blocks(): readonly Block[] {
  return pages().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/^( *)(`{3,})(\w*)\n(.*?)^\1\2$/gms)].map((found) => ({
      file,
      language: found[3] ?? '',
      lines: (found[4] ?? '')
        .trimEnd()
        .split('\n')
        .map((line) => line.slice((found[1] ?? '').length)),
    }));
  });
}

/** Commands of all blocks in the order of the pages, each text once per page. */
export function documentedCommands(): readonly DocumentedCommand[] {
  const all = blocks().flatMap((block) => {
    if (block.language === 'sh') return shellCommands(block);
    return block.language === 'console' ? consoleCommands(block) : [];
  });
  const seen = new Set<string>();
  return all.filter(({ file, text }) => {
    const key = `${file}\n${text}`;
    return seen.has(key) ? false : seen.add(key);
  });
}

function shellCommands({ file, lines }: Block): DocumentedCommand[] {
  return joinLines(lines.map(withoutComment)).flatMap((text) =>
    text === '' ? [] : [{ text, file, output: null }],
  );
}

/** A block whose lines hand variables on is one command. */
function consoleCommands({ file, lines }: Block): DocumentedCommand[] {
  const typed = lines.filter((line) => line.startsWith('$ ') || line.startsWith('    '));
  if (lines.some((line) => /^\$ \w+=/.test(line)))
    return [{ text: typed.map((line) => line.replace(/^\$ /, '')).join('\n'), file, output: null }];
  const commands: DocumentedCommand[] = [];
  for (const line of lines) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ text: line.slice(2), file, output: null });
    else if (last !== undefined)
      commands[commands.length - 1] = { ...last, output: `${last.output ?? ''}${line}\n` };
  }
  return commands;
}

function withoutComment(line: string): string {
  return line.replace(/\s+# .*$/, '').trimEnd();
}

function joinLines(lines: readonly string[]): string[] {
  return lines
    .join('\n')
    .replace(/ \\\n\s*/g, ' ')
    .split('\n');
}

/** Commands within sentences: `aiops status`. Placeholders such as `<issue>` are left out of them. */
export function mentionedCommands(): readonly DocumentedCommand[] {
  return pages().flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8').replace(/^( *)(`{3,}).*?^\1\2$/gms, '');
    return [...text.matchAll(/`(aiops\s[^`]+)`/g)].map((found) => ({
      text: (found[1] ?? '').replace(/\s+/g, ' ').trim(),
      file,
      output: null,
    }));
  });
}
