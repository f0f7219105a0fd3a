import { forgeSetup } from '../forge/setup.ts';

const READY = 'aiops/todo';

export const GITHUB_SETUP = forgeSetup(
  {
    token: {
      variables: ['GITHUB_TOKEN', 'GH_TOKEN'],
      page: 'https://github.com/settings/tokens (issues, pull requests and contents: read and write)',
      lender: { program: 'gh', args: ['auth', 'token'] },
    },
  },
  {
    name: 'GitHub',
    readyLabel: READY,
    statesComment:
      'Each state but `closed` is a label of that name; `aiops labels sync` creates those that are missing.',
    states: {
      active: [READY, 'aiops/rework'],
      inactive: ['aiops/human-review'],
      terminal: ['closed'],
      ready: READY,
      rework: 'aiops/rework',
      review: 'aiops/human-review',
    },
    // Everybody may write issues in a public repository; whose run by themselves is said in the file.
    laterKeys: [
      {
        key: 'trust',
        comment:
          'Issues of these people run when they have an active label; those of others need the label below as well.',
        keys: [
          { key: 'associations', value: ['OWNER', 'MEMBER', 'COLLABORATOR'] },
          { key: 'labels', value: ['aiops/approved'] },
        ],
      },
    ],
  },
);
