import { expect, it } from 'vitest';
import * as gitea from '../gitea/requests.ts';
import * as github from '../github/hostile-requests.ts';
import { hostileRequests, legitimateRequests, type RequestValues } from '../linear/requests.ts';

const WORLD: RequestValues = {
  id: 'id',
  identifier: 'ENG-1',
  otherId: 'other',
  otherIdentifier: 'ENG-2',
  teamId: 'team',
  projectId: 'project',
  todo: 'todo',
  progress: 'progress',
  review: 'review',
  backlog: 'backlog',
  done: 'done',
  ownComment: 'own',
  personComment: 'person',
  otherComment: 'elsewhere',
};

/** Each tool's own suite sends them; this one keeps the promise that there are many, and no two the same. */
it('has at least 150 hostile requests for the tools of each tracker, and 50 legitimate ones in all', () => {
  const hostile: Readonly<Record<string, readonly unknown[]>> = {
    linear: hostileRequests(WORLD),
    github: github.HOSTILE,
    gitea: gitea.HOSTILE,
  };
  for (const [tracker, requests] of Object.entries(hostile)) {
    const distinct = new Set(requests.map((request) => JSON.stringify(request)));
    expect(distinct.size, tracker).toBe(requests.length);
    expect(distinct.size, tracker).toBeGreaterThanOrEqual(150);
  }
  const legitimate = [legitimateRequests(WORLD), github.LEGITIMATE, gitea.LEGITIMATE].flat();
  expect(legitimate.length).toBeGreaterThanOrEqual(75);
});
