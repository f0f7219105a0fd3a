import { createLinearFixture } from '../fakes/linear/fixture.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'linear', create: createLinearFixture });
