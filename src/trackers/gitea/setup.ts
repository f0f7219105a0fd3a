import { forgeSetup } from '../forge/setup.ts';

export const GITEA_SETUP = forgeSetup(
  {
    alsoNamed: ['forgejo'],
    token: {
      variables: ['GITEA_TOKEN', 'FORGEJO_TOKEN'],
      page: 'Settings > Applications on your server (issues and repository: read and write)',
    },
  },
  {
    name: 'Gitea or Forgejo',
    readyLabel: 'aiops/todo',
    statesComment:
      'Each state is a label: aiops/todo, aiops/in-progress, …; `aiops labels sync` creates those that are missing.',
    states: {
      active: ['Todo', 'In Progress', 'Rework'],
      inactive: ['Human Review', 'Merging'],
      terminal: ['Done', 'Canceled'],
      ready: 'Todo',
      rework: 'Rework',
      review: 'Human Review',
    },
  },
);
