import type { Issue } from '../../src/domain/issue.ts';

/** An issue with a value in almost every field, for templates to show. */
export const DOOR_ISSUE: Issue = {
  id: 'id-1',
  identifier: 'ENG-7',
  title: 'Fix the door',
  description: 'It squeaks.',
  priority: 2,
  state: 'Todo',
  branchName: 'eng-7-fix',
  url: 'https://tracker.example/ENG-7',
  assigneeId: null,
  author: null,
  labels: ['bug', 'door'],
  blockedBy: [{ id: 'id-2', identifier: 'ENG-2', state: 'Done' }],
  dispatchable: true,
  undispatchableReason: null,
  createdAt: '2026-01-02T03:04:05Z',
  updatedAt: null,
  nativeRef: { number: 7 },
};
