import { createGiteaStage } from '../fakes/gitea/stage.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'gitea', create: (seed) => createGiteaStage(seed) });
