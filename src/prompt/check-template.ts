import type { Issue } from '../domain/issue.ts';
import { AppError } from '../errors/app-error.ts';
import { createPromptRenderer, type PromptInput } from './render.ts';

const FULL_ISSUE: Issue = {
  id: 'sample-id',
  identifier: 'SAMPLE-1',
  title: 'A sample issue',
  description: 'What it is about.',
  priority: 1,
  state: 'Todo',
  branchName: 'sample-1',
  url: 'https://tracker.example/SAMPLE-1',
  assigneeId: 'someone',
  author: { names: ['somebody'], association: null },
  labels: ['sample'],
  blockedBy: [{ id: 'sample-0', identifier: 'SAMPLE-0', state: 'Done' }],
  dispatchable: true,
  undispatchableReason: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  nativeRef: {},
};

const BARE_ISSUE: Issue = {
  ...FULL_ISSUE,
  description: null,
  priority: null,
  branchName: null,
  url: null,
  assigneeId: null,
  labels: [],
  blockedBy: [],
  createdAt: null,
  updatedAt: null,
  nativeRef: null,
};

const SAMPLES: readonly Pick<PromptInput, 'issue' | 'attempt' | 'retryKind' | 'branch' | 'repo'>[] = [
  { issue: BARE_ISSUE, attempt: null, retryKind: null, branch: null, repo: null },
  {
    issue: FULL_ISSUE,
    attempt: 2,
    retryKind: 'failure',
    branch: 'ai/sample',
    repo: { owner: 'owner', name: 'name', defaultBranch: 'main' },
  },
];

export interface TemplateToCheck {
  readonly template: string;
  readonly firstLine: number;
  readonly trackerKind: string;
}

/** Renders sample issues, a bare one and a full one, and returns what would fail the first runs. */
export async function checkTemplate(input: TemplateToCheck): Promise<readonly AppError[]> {
  const renderer = createPromptRenderer();
  const errors = new Map<string, AppError>();
  for (const sample of SAMPLES) {
    try {
      await renderer.render({
        ...input,
        ...sample,
        policyMode: 'draft_pr',
        verifyCommands: [],
        delimit: true,
        nonce: 'sample',
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      // Only the tracker's adapter knows what is in it, so a sample cannot.
      const native = String(error.context['variable'] ?? '').startsWith('issue.native_ref.');
      if (!native) errors.set(error.message, error);
    }
  }
  return [...errors.values()];
}
