export type FencedBlock =
  | { readonly kind: 'none' }
  | { readonly kind: 'found'; readonly text: string }
  | { readonly kind: 'unclosed' }
  | { readonly kind: 'several' };

interface Fence {
  readonly fence: string;
  readonly info: string;
}

/**
 * Finds the fenced code block of this language in Markdown. A fence inside a longer fence is text, as it is to a
 * Markdown reader, so a block that is only quoted as an example is not taken for the real one.
 */
export function findFencedBlock(markdown: string, language: string): FencedBlock {
  const blocks: string[] = [];
  let open: (Fence & { readonly lines: string[] }) | null = null;
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (open === null) {
      const fence = openingFence(line);
      if (fence !== null) open = { ...fence, lines: [] };
    } else if (closes(open, line)) {
      if (open.info === language) blocks.push(open.lines.join('\n'));
      open = null;
    } else {
      open.lines.push(line);
    }
  }
  if (open?.info === language) return { kind: 'unclosed' };
  const [first, second] = blocks;
  if (first === undefined) return { kind: 'none' };
  return second === undefined ? { kind: 'found', text: first } : { kind: 'several' };
}

function openingFence(line: string): Fence | null {
  const match = /^ {0,3}(`{3,}|~{3,})([^`]*)$/.exec(line);
  if (match === null) return null;
  return { fence: match[1] ?? '', info: (match[2] ?? '').trim().toLowerCase() };
}

function closes(open: Fence, line: string): boolean {
  const fence = line.trim();
  return (
    line.length - line.trimStart().length <= 3 &&
    fence.length >= open.fence.length &&
    fence === (open.fence[0] ?? '').repeat(fence.length)
  );
}
