import { createGithubFixture } from '../fakes/github/fixture.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'github', create: createGithubFixture });
trackerContract({
  name: 'github enterprise server',
  create: (seed, settings) =>
    createGithubFixture(seed, settings, { prefix: '/api/v3', withoutNewFields: true }),
});
