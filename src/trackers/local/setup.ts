import { type TrackerSetup, textFlag } from '../tracker-setup.ts';

export const LOCAL_SETUP: TrackerSetup = {
  title: 'Local folder',
  remark: 'Markdown files, no account',
  token: null,
  flags: [
    {
      name: '--issues <folder>',
      text: 'the folder of issues of the local tracker (default: issues)',
    },
  ],
  async plan({ flags }) {
    const folder = textFlag(flags, 'issues') ?? 'issues';
    return {
      description: `files in ${folder}/`,
      keys: [
        {
          key: 'path',
          value: folder,
          comment:
            'A folder of Markdown files, one for each issue, beside this file. `aiops issue new "…"` writes one.',
        },
      ],
      statesComment:
        'Issues in the first list are worked on, the second waits for people, the third is finished.',
      states: {
        active: ['Todo', 'In Progress', 'Rework'],
        inactive: ['Backlog', 'Human Review'],
        terminal: ['Done', 'Closed', 'Cancelled', 'Duplicate'],
        ready: 'Todo',
        rework: 'Rework',
        review: 'Human Review',
      },
      firstIssue: { folder },
    };
  },
};
