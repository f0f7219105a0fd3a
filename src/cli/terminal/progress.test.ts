import { expect, it } from 'vitest';
import { withProgress } from './progress.ts';

function collect(interactive: boolean) {
  let text = '';
  let tell = (): void => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const io = {
    interactive,
    stderr: (more: string) => {
      text += more;
      tell();
    },
  };
  return { io, told, text: () => text };
}

it('says what is waited for, and takes it back at the end, also of a failure', async () => {
  for (const fails of [false, true]) {
    const { io, told, text } = collect(true);
    const work = async (): Promise<string> => {
      await told;
      if (fails) throw new Error('no');
      return 'done';
    };
    const result = await withProgress(io, 'asking the tracker', work, 0).catch(
      (error: Error) => error.message,
    );
    expect([result, text()]).toEqual([fails ? 'no' : 'done', '\r\u001B[Kasking the tracker …\r\u001B[K']);
  }
});

it('says nothing of what is over at once, and nothing into a pipe', async () => {
  const quick = collect(true);
  await withProgress(quick.io, 'asking', async () => 'done');
  const piped = collect(false);
  // Whoever was to be told would have been in the first turn of the timers.
  await withProgress(piped.io, 'asking', () => new Promise((resolve) => setTimeout(resolve, 0)), 0);
  expect([quick.text(), piped.text()]).toEqual(['', '']);
});
