/** A workflow file cut into its two parts. Lines are 1-based lines of the file. */
export interface SplitWorkflow {
  /** Null when the file has no front matter. */
  readonly frontMatter: {
    readonly text: string;
    readonly firstLine: number;
    readonly closed: boolean;
  } | null;
  /** Trimmed. */
  readonly body: string;
  /** The line the trimmed body starts on. */
  readonly bodyLine: number;
}

const FENCE = /^---[ \t]*$/;

/**
 * Front matter starts when the first line is `---` and ends at the next such line. A byte order mark, CRLF line
 * ends and blanks after a fence are tolerated. A fence that is never closed makes the rest front matter, as
 * Symphony reads it; the caller decides whether that can be meant.
 */
export function splitFrontMatter(source: string): SplitWorkflow {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  if (!FENCE.test(lines[0] ?? '')) return { frontMatter: null, ...trimBody(lines, 1) };
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end === -1) {
    const rest = { text: lines.slice(1).join('\n'), firstLine: 2, closed: false };
    return { frontMatter: rest, body: '', bodyLine: lines.length };
  }
  const frontMatter = { text: lines.slice(1, end).join('\n'), firstLine: 2, closed: true };
  return { frontMatter, ...trimBody(lines.slice(end + 1), end + 2) };
}

function trimBody(lines: readonly string[], firstLine: number): { body: string; bodyLine: number } {
  const start = lines.findIndex((line) => line.trim() !== '');
  return { body: lines.join('\n').trim(), bodyLine: firstLine + Math.max(0, start) };
}
