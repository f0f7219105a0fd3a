/** The part of a Markdown page under a heading, up to the next heading of its rank or above; null without it. */
export function partUnder(page: string, anchor: string): string | null {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => rankOf(line) > 0 && slugOf(line) === anchor);
  if (start === -1) return null;
  const rank = rankOf(lines[start] ?? '');
  const length = lines.slice(start + 1).findIndex((line) => rankOf(line) > 0 && rankOf(line) <= rank);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n');
}

function rankOf(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

/** As GitHub makes anchors of headings. */
function slugOf(heading: string): string {
  return heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
