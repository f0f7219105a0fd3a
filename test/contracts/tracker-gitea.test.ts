import { createGiteaFixture } from '../fakes/gitea/fixture.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'gitea', create: createGiteaFixture });
