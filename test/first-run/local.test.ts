import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { branches, git } from '../e2e/cli/git.ts';
import { codexBinary } from '../real/codex/codex-fixture.ts';
import { DOORS, installCodex } from './agents.ts';
import { makeRemote, openNewcomer, VERIFIED, VERIFY } from './newcomer.ts';

describe.runIf(codexBinary !== null)('a local folder and the real Codex', () => {
  test.each(DOORS)('deliver the first issue by %s', async (door) => {
    const newcomer = openNewcomer();
    const remote = makeRemote(newcomer);
    const model = await installCodex(newcomer, {
      door,
      verify: VERIFY,
      pullRequest: false,
      review: 'Human Review',
    });
    expect(await newcomer.init('--repo', remote.typed, '--verify', VERIFY)).toContain('aiops worker');
    const issue = await newcomer.aiops('issue', 'new', 'Greet people', '--body', 'Write GREETING.');
    expect(issue).toMatchObject({ code: 0 });

    expect(await newcomer.workOnce()).toMatchObject({
      issue_identifier: 'TASK-1',
      outcome: 'delivered',
      branch: 'ai/TASK-1',
      pushed: true,
    });
    expect(branches(remote.path)).toEqual(['ai/TASK-1', 'main']);
    expect(git(remote.path, 'log', '-1', '--format=%s', 'ai/TASK-1')).toBe('Greet people');
    expect(readFileSync(join(newcomer.folder, 'issues', 'TASK-1.md'), 'utf8')).toContain(
      'state: Human Review',
    );
    expect(model.prompt()).toContain(VERIFY);
    expect(model.answerTo('verify')).toContain(VERIFIED);
  });
});
