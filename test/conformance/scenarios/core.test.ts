import { describe, expect, it } from 'vitest';
import { ERROR_CODES } from '../../../src/errors/codes.ts';
import { silentLogger } from '../../../src/observability/logger.ts';
import { createTracker } from '../../../src/trackers/registry.ts';
import { readRepositoryFile, repositoryFiles, sourceFiles } from '../../architecture/repository.ts';
import { tokenize } from '../../architecture/tokens.ts';
import { configOf } from './workflow.ts';

const CORE = ['src/scheduler', 'src/orchestrator', 'src/run'] as const;

/** Files of these folders whose code, comments aside, holds one of the words. */
function filesWith(folders: readonly string[], words: readonly string[]): readonly string[] {
  return folders
    .flatMap((folder) => sourceFiles(folder))
    .filter((path) => tokenize(readRepositoryFile(path)).some(({ text }) => words.includes(text)));
}

describe('the core', () => {
  it('never looks into native_ref (R-4.2-b, R-11.2-d)', () => {
    expect(CORE.flatMap((folder) => sourceFiles(folder)).length).toBeGreaterThan(30);
    expect(filesWith(CORE, ['nativeRef', 'native_ref'])).toEqual([]);
  });

  it('never looks at blockers, assignees or labels of a provider beyond the required ones (R-11.2-d)', () => {
    expect(filesWith(CORE, ['blockedBy', 'assigneeId', 'branchName'])).toEqual([]);
    expect(filesWith(CORE, ['labels'])).toEqual([
      'src/scheduler/core/profile.ts',
      'src/scheduler/rules/eligibility.ts',
    ]);
  });

  it('reaches a tracker’s tools in one place only, for the call of an agent (R-1-b, R-2.2-a)', () => {
    const files = CORE.flatMap((folder) => sourceFiles(folder));
    const users = files.filter((path) => /\btools\s*\.execute\(/.test(readRepositoryFile(path)));
    expect(users).toEqual(['src/orchestrator/runs/live-runs.ts']);
    expect(filesWith(CORE, ['issue_move', 'issue_comment'])).toEqual([]);
  });

  it('knows a tracker by its reads, its tools and its notices: it writes nothing itself (R-2.2-a, R-11-a, R-18.1-f)', async () => {
    const { tracker } = configOf();
    const adapter = await createTracker(tracker, { logger: silentLogger });
    expect(Object.keys(adapter).sort()).toEqual([
      'changes',
      'editor',
      'fetchIssuesByIds',
      'fetchIssuesByStates',
      'kind',
      'survey',
      'tools',
    ]);
    // What people write on the page passes the core by; it says only whether they can.
    expect(filesWith(CORE, ['editor'])).toEqual(['src/orchestrator/snapshot/tracker-row.ts']);
  });
});

describe('names', () => {
  it('every category of tracker errors of the SPEC exists (R-11.4-a)', () => {
    expect(Object.keys(ERROR_CODES)).toEqual(
      expect.arrayContaining([
        'unsupported_tracker_kind',
        'invalid_tracker_config',
        'missing_tracker_secret',
        'tracker_request',
        'tracker_status',
        'tracker_response',
        'tracker_pagination',
        'tracker_rate_limited',
      ]),
    );
  });
});

describe('these tests', () => {
  it('need no network, no credentials and no luck with the clock (R-17-b)', () => {
    const files = repositoryFiles().filter((path) => path.startsWith('test/conformance/'));
    expect(files.length).toBeGreaterThan(20);
    const words = ['fetch', 'setTimeout', 'setInterval', 'performance', 'random', 'Date'];
    const used = files
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) =>
        tokenize(readRepositoryFile(path))
          .filter(({ kind, text }) => kind === 'word' && words.includes(text))
          .map(({ text }) => `${path}: ${text}`),
      );
    expect(used).toEqual([]);
  });
});
