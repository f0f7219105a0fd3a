import type { IssueCard, TrackerBoard } from '../../../src/contract/tracker-issues.ts';
import type { IssueEditor } from '../../../src/trackers/issue-editor.ts';

type Told = readonly [state: string, title: string, over?: Partial<IssueCard>];

const ISSUES: readonly Told[] = [
  ['Todo', 'Add a --json flag to the report command', { priority: 1, labels: ['cli'] }],
  ['Todo', 'Publish the changelog', { held_by: 'blocked by DEMO-3 (In Progress)', labels: ['docs'] }],
  ['In Progress', 'Parse durations such as 1h30m in the settings', { priority: 2, comments: 3 }],
  ['In Progress', 'Keep the cursor where it was after a refresh', { labels: ['ui', 'bug'], comments: 1 }],
  ['Rework', 'Rename the settings module', { comments: 5 }],
  ['Backlog', 'Offer the report as a web page', { labels: ['ui'] }],
  ['Backlog', 'Import from spreadsheets', { priority: 4 }],
  ['Backlog', 'Remember the last filter', { assignee: 'ada' }],
  ['Human Review', 'Accept 1h30m as a timeout', { comments: 2, labels: ['bug'] }],
  ['Done', 'Split the import into batches', { comments: 4 }],
  ['Done', 'Upgrade the HTML sanitizer', { labels: ['security'] }],
];

const STATES: TrackerBoard['states'] = [
  ...['Todo', 'In Progress', 'Rework'].map((name) => ({ name, kind: 'active' as const })),
  ...['Backlog', 'Human Review'].map((name) => ({ name, kind: 'waiting' as const })),
  ...['Done', 'Cancelled'].map((name) => ({ name, kind: 'finished' as const })),
];

/** A folder of issues in the middle of the work, for pictures of it. */
export function sampleEditor(): IssueEditor {
  const issues = ISSUES.map(([state, title, over], index): IssueCard => {
    const id = `DEMO-${index + 1}`;
    const facts = {
      priority: null,
      labels: [],
      assignee: null,
      updated_at: null,
      comments: 0,
      held_by: null,
    };
    return { id, identifier: id, title, state, ...facts, ...over };
  });
  const only = async (): Promise<never> => {
    throw new Error('this is a sample');
  };
  return {
    board: async () => ({ states: STATES, issues, left_out: 0, broken: [] }),
    async read(id) {
      const found = issues.find((issue) => issue.id === id) ?? issues[0];
      if (found === undefined) throw new Error('the sample has no issue');
      const description =
        'People who pipe the report into other programs have to cut it apart.\n\n- `--json` prints one object\n- times are UTC\n- nothing else goes to standard output';
      return { ...found, description, version: 'sample' };
    },
    create: only,
    change: only,
    move: only,
  };
}
