import type { TrackerSetup } from '../tracker-setup.ts';

export const LINEAR_SETUP: TrackerSetup = {
  title: 'Linear',
  token: {
    variables: ['LINEAR_API_KEY'],
    page: 'Settings > Security & access > Personal API keys in Linear',
  },
  project: 'the project in Linear',
  flags: [
    { name: '--ready-state <name>', text: 'the state in which an agent takes an issue (Linear)' },
    {
      name: '--review-state <name>',
      text: 'the state for finished work that a person looks at (Linear)',
    },
  ],
  plan: async (request) => (await import('./setup/plan.ts')).planLinear(request),
};
