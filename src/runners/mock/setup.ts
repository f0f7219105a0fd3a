import type { AgentSetup } from '../agent-setup.ts';

export const mockSetups: readonly AgentSetup[] = [
  { name: 'mock', title: 'Mock', remark: 'only writes notes, for trying things out', variables: [] },
];
