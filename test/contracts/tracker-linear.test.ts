import { createLinearStage } from '../fakes/linear/stage.ts';
import { trackerContract } from './tracker-contract.ts';

trackerContract({ name: 'linear', create: createLinearStage });
