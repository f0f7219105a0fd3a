import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { root } from './program.mjs';

it('builds nothing anew when no source has changed', () => {
  const program = `import { ensureBuilt } from './scripts/lib/build.mjs'; await ensureBuilt();`;
  // What is built is told on standard error; vitest's own set-up has built everything before.
  const told = execFileSync(
    'sh',
    ['-c', '"$0" --input-type=module --eval "$1" 2>&1', process.execPath, program],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(told).toBe('');
});
