import type { AgentSetup } from '../agent-setup.ts';

export const codexSetups: readonly AgentSetup[] = [
  {
    name: 'codex',
    alsoNamed: ['codex-app-server'],
    title: 'Codex',
    install: 'npm install -g @openai/codex',
    signIn: 'codex login',
    variables: ['CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'AZURE_OPENAI_API_KEY'],
  },
];
