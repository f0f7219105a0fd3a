import { createGithubFixture } from '../fakes/github/fixture.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'github', create: (seed) => createGithubFixture(seed) });
trackerContract({
  name: 'github enterprise server',
  create: (seed) => createGithubFixture(seed, {}, { prefix: '/api/v3', withoutNewFields: true }),
});
