import type { AgentSetup } from '../agent-setup.ts';

const PERMISSIONS = {
  key: 'permissions',
  value: 'allow',
  comment: 'Such agents ask before they act; `ask` makes each question wait for you instead.',
};

export const acpSetups: readonly AgentSetup[] = [
  {
    name: 'gemini',
    title: 'Gemini CLI (ACP)',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT', 'GOOGLE_GENAI_USE_VERTEXAI'],
    command: 'gemini --acp',
    keys: [PERMISSIONS],
  },
  {
    name: 'opencode',
    title: 'opencode (ACP)',
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
    command: 'opencode acp',
    keys: [PERMISSIONS],
  },
];
