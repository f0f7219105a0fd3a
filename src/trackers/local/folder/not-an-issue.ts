import { isIdentifier } from '../schema.ts';

/** Endings that people give to texts they mean as issues. */
const MEANT_AS_ISSUE = /\.(?:md|markdown|mdown|mkdn?|mdx|txt)$/i;

/** Why something in the folder of issues is none by its name, and how to mend it; null when nobody can have meant it as one. */
export function whyNoIssueName(name: string, isFolder: boolean): string | null {
  if (name.startsWith('.') || !MEANT_AS_ISSUE.test(name)) return null;
  if (isFolder) return 'it is a folder, and issues are files';
  const better = betterName(name);
  const rename = better === null ? 'give it a name like TASK-1.md' : `rename it to ${JSON.stringify(better)}`;
  if (!name.endsWith('.md')) return `its name does not end in .md; ${rename}`;
  return `its name has characters other than letters, digits, ".", "_" and "-"; ${rename}`;
}

/** The nearest name an issue can have. */
function betterName(name: string): string | null {
  const stem = name
    .replace(MEANT_AS_ISSUE, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, 128);
  return isIdentifier(stem) ? `${stem}.md` : null;
}
