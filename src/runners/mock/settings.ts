import type { AgentKind } from '../../config/kinds.ts';

/** Built in, for trying things out: it takes its times and variables from the block of Codex. */
export const mockAgent: AgentKind = {
  kind: 'mock',
  section: 'codex',
  block: null,
  defaultIn: 'go',
  builtIn: true,
  environment: [],
  removedKeys: {},
};
