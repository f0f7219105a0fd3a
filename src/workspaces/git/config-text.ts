/** Section header (`core`, `remote "origin"`) to its keys. */
export type GitConfig = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Text of a git configuration file; every value is quoted, so nothing in it can start a line of its own. */
export function renderGitConfig(config: GitConfig): string {
  return Object.entries(config)
    .map(([section, keys]) => {
      const lines = Object.entries(keys).map(([key, value]) => `\t${key} = ${quote(value)}\n`);
      return `[${section}]\n${lines.join('')}`;
    })
    .join('');
}

function quote(value: string): string {
  const escaped = value.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  return `"${escaped}"`;
}
