import { createGithubStage } from '../fakes/github/stage.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'github', create: (seed) => createGithubStage(seed) });
trackerContract({
  name: 'github enterprise server',
  create: (seed) => createGithubStage(seed, {}, { prefix: '/api/v3', withoutNewFields: true }),
});
