/** Reading a workflow as the program does: with every agent and tracker it has. */
export { evaluateWorkflow, loadWorkflow, WORKFLOW_FORMAT } from '../../src/cli/workflow-file.ts';
