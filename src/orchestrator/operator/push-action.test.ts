import { describe, expect, it } from 'vitest';
import type { RepoConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import { initialState } from '../../scheduler/core/initial-state.ts';
import { decidePush } from './push-action.ts';

const request = { action: 'push', issue: 'a', text: null, resetBudget: false, by: 'ada' } as const;
const subject = { id: 'a', identifier: 'A' };
const held = { ...initialState('t'), held: new Map([['a', 'A']]) };

type Repo = Pick<RepoConfig, 'push'> | null;

const decide = (repo: Repo) => decidePush(held, repo, request, subject);

function refusal(repo: Repo): AppError {
  try {
    decide(repo);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('what an operator can have pushed', () => {
  it('anything with a workspace, where the worker pushes', () => {
    expect(decide({ push: 'worker' }).order).toEqual({ kind: 'push', issueId: 'a', by: 'ada' });
  });

  it.each<[Repo, string, string]>([
    [null, 'has no repository', 'repo.clone_url'],
    [{ push: 'agent' }, 'is pushed by its agent only', 'repo.push to worker'],
  ])('nothing with repo %j, and the fix is named', (repo, why, fix) => {
    const error = refusal(repo);
    expect(error.code).toBe('action_not_applicable');
    expect(error.message).toContain(why);
    expect(error.hint).toContain(fix);
  });
});
