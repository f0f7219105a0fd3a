import type { Section } from '../requirement.ts';
import { agentRunner } from './agent-runner.ts';
import { algorithms } from './algorithms.ts';
import { configuration } from './configuration.ts';
import { definitionOfDone } from './definition-of-done.ts';
import { domainModel } from './domain-model.ts';
import { failureModel } from './failure-model.ts';
import { observability } from './observability.ts';
import { preamble } from './preamble.ts';
import { prompt } from './prompt.ts';
import { scheduling } from './scheduling.ts';
import { security } from './security.ts';
import { sshWorkers } from './ssh-workers.ts';
import { stateMachine } from './state-machine.ts';
import { testMatrixCore } from './test-matrix-core.ts';
import { testMatrixMore } from './test-matrix-more.ts';
import { tracker } from './tracker.ts';
import { workflowFile } from './workflow-file.ts';
import { workspaces } from './workspaces.ts';

/** Every line of the SPEC, in its order. */
export const SECTIONS: readonly Section[] = [
  preamble,
  domainModel,
  workflowFile,
  configuration,
  stateMachine,
  scheduling,
  workspaces,
  agentRunner,
  tracker,
  prompt,
  observability,
  failureModel,
  security,
  algorithms,
  { name: '§17 Test matrix', count: 96, lines: [...testMatrixCore, ...testMatrixMore] },
  definitionOfDone,
  sshWorkers,
];
