/** A key that the program itself writes into a workflow file, with what it says to a reader. */
export type WrittenKey = { readonly key: string; readonly comment?: string } & (
  | { readonly value: string | number | readonly string[] }
  | { readonly keys: readonly WrittenKey[] }
);

/** The lines of a file that hold these keys. */
export function writtenKeys(keys: readonly WrittenKey[], indent: string): readonly string[] {
  return keys.flatMap((written) => {
    const { key, comment } = written;
    const above = comment === undefined ? [] : [`${indent}# ${comment}`];
    if ('value' in written) return [...above, `${indent}${key}: ${inline(written.value)}`];
    return [...above, `${indent}${key}:`, ...writtenKeys(written.keys, `${indent}  `)];
  });
}

function inline(value: string | number | readonly string[]): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? scalar(value) : `[${value.map(scalar).join(', ')}]`;
}

/** Plain where YAML cannot mistake it for something else, else quoted: a JSON string is a YAML string. */
export function scalar(text: string): string {
  const plain =
    /^[A-Za-z0-9_./~$-][A-Za-z0-9_./~$@:+=% -]*$/.test(text) &&
    !/^[-.]?[0-9]|^(?:-|~|true|false|null|yes|no|on|off)$|^- |: |:$| #| $/i.test(text);
  return plain ? text : JSON.stringify(text);
}
