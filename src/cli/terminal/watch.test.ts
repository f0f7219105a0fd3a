import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors/app-error.ts';
import { watch } from './watch.ts';

/** Draws these one after the other; the watching ends with the last. */
async function watched(
  texts: readonly (string | Error)[],
  size: { columns: number | null; rows?: number },
): Promise<string> {
  const stop = new AbortController();
  let out = '';
  let drawn = 0;
  await watch({
    io: {
      stdout: (text) => {
        out += text;
      },
      outputColumns: () => size.columns,
      outputRows: () => size.rows ?? null,
    },
    everyMs: 0,
    signal: stop.signal,
    async draw() {
      const text = texts[drawn];
      drawn += 1;
      if (text === undefined) {
        stop.abort();
        return 'too late\n';
      }
      if (text instanceof Error) throw text;
      return text;
    },
  });
  return out;
}

describe('watch', () => {
  it('prints into a pipe what has changed, without a word to a terminal', async () => {
    expect(await watched(['one\n', 'one\n', 'two\n'], { columns: null })).toBe('one\n\ntwo\n');
  });

  it('redraws a screen in place and gives it back with the last text on it', async () => {
    const out = await watched(['one\n', 'two\n'], { columns: 80, rows: 10 });
    expect(out.startsWith('\u001B[?1049h\u001B[?25l\u001B[Hone\u001B[K\n\u001B[J')).toBe(true);
    expect(out.endsWith('\u001B[Htwo\u001B[K\n\u001B[J\u001B[?25h\u001B[?1049ltwo\n')).toBe(true);
  });

  it('shows no more lines than the screen has, and counts the rest', async () => {
    const out = await watched(['a\nb\nc\nd\ne\n'], { columns: 80, rows: 4 });
    expect(out).toContain('\u001B[Ha\u001B[K\nb\u001B[K\n… 3 more lines\u001B[K\n\u001B[J');
  });

  it('shows an error that may pass and goes on, but not the first one', async () => {
    const away = new AppError('worker_unreachable', 'no worker answers', { hint: 'Start one.' });
    expect(await watched(['one\n', away, 'two\n'], { columns: null })).toBe(
      'one\n\naiops: no worker answers. Start one.\n\ntwo\n',
    );
    await expect(watched([away], { columns: null })).rejects.toBe(away);
  });
});
