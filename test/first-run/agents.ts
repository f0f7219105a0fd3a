import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { startMessagesServer } from '../fakes/claude/messages-server.ts';
import { startModelServer } from '../fakes/model-server/model-server.ts';
import { claudeBinary, claudeVariables } from '../real/claude/claude-fixture.ts';
import { codexBinary, lastOutput, writeCodexHome } from '../real/codex/codex-fixture.ts';
import type { Newcomer } from './newcomer.ts';

/** How the branch gets to the remote. */
export type Door = 'tools' | 'git';
export const DOORS: readonly Door[] = ['tools', 'git'];

/** What the scripted model has the agent do, one step a request. */
type Step = { readonly name: StepName } & (
  | { readonly command: string }
  | { readonly edit: string; readonly content: string }
  | { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }
);
type StepName = 'edit' | 'commit' | 'verify' | 'push' | 'pull request' | 'hand over';

export interface Work {
  readonly door: Door;
  /** One of the verify commands of the workflow. */
  readonly verify: string;
  readonly pullRequest: boolean;
  readonly review: string;
}

/** The model's side of a session; tells what came back from each step. */
export interface ScriptedModel {
  /** The prompt of the first request. */
  prompt(): string;
  /** What the model was told when this step was done. */
  answerTo(step: StepName): string;
}

/** As these agents are taught to write a commit message. */
const COMMIT = `git add GREETING && git commit -m "$(cat <<'EOF'
Greet people

The issue asks for a greeting.
EOF
)"`;

function stepsOf({ door, verify, pullRequest, review }: Work): readonly Step[] {
  const opened = { title: 'Greet people', body: 'Says hello.' };
  return [
    { name: 'edit', edit: 'GREETING', content: 'hello\n' },
    { name: 'commit', command: COMMIT },
    { name: 'verify', command: verify },
    door === 'tools'
      ? { name: 'push', tool: 'branch_push', args: {} }
      : { name: 'push', command: 'git push' },
    ...(pullRequest ? [{ name: 'pull request', tool: 'pull_request_open', args: opened } as const] : []),
    { name: 'hand over', tool: 'issue_move', args: { state: review } },
  ];
}

function numberOf(steps: readonly Step[], name: StepName): number {
  return steps.findIndex((step) => step.name === name) + 1;
}

/** Installs the real Codex, signed in to a scripted model. */
export async function installCodex(newcomer: Newcomer, work: Work): Promise<ScriptedModel> {
  const steps = stepsOf(work);
  const model = await startModelServer((_request, number) => {
    const step = steps[number - 1];
    if (step === undefined) return { items: [{ say: 'Done.' }] };
    if ('tool' in step) return { items: [{ call: step.tool, args: step.args }] };
    const cmd = 'command' in step ? step.command : `printf %s '${step.content}' > ${step.edit}`;
    return { items: [{ call: 'exec_command', args: { cmd, yield_time_ms: 30_000 } }] };
  });
  onTestFinished(() => model.close());
  newcomer.install('codex', `${codexBinary}`);
  writeCodexHome(newcomer.home, model.baseUrl);
  const login = { env: newcomer.env, input: 'sk-dummy-not-a-key', stdio: ['pipe', 'pipe', 'pipe'] } as const;
  execFileSync(`${codexBinary}`, ['login', '--with-api-key'], { ...login, stdio: [...login.stdio] });
  return {
    prompt: () => model.requests[0]?.input ?? '',
    answerTo(step) {
      const next = model.requests[numberOf(steps, step)];
      return next === undefined ? '(the model was not asked again)' : lastOutput(next);
    },
  };
}

/** Installs the real Claude, signed in to a scripted model. */
export async function installClaude(newcomer: Newcomer, work: Work): Promise<ScriptedModel> {
  const steps = stepsOf(work);
  const model = await startMessagesServer((_request, number) => {
    const step = steps[number - 1];
    if (step === undefined) return { blocks: [{ say: 'Done.' }] };
    if ('tool' in step) return { blocks: [{ call: `mcp__aiops__${step.tool}`, input: step.args }] };
    if ('edit' in step)
      return { blocks: [{ call: 'Write', input: { file_path: step.edit, content: step.content } }] };
    return { blocks: [{ call: 'Bash', input: { command: step.command, description: 'Next step' } }] };
  });
  onTestFinished(() => model.close());
  newcomer.install('claude', `${claudeBinary}`);
  Object.assign(newcomer.env, claudeVariables(model.baseUrl));
  return {
    prompt: () => model.requests[0]?.messages ?? '',
    answerTo: (step) => lastToolResult(model.requests[numberOf(steps, step)]?.messages ?? '[]'),
  };
}

/** The newest tool result of a conversation. */
function lastToolResult(messages: string): string {
  const parsed: unknown = JSON.parse(messages);
  const blocks = (Array.isArray(parsed) ? parsed : []).flatMap(({ content }) =>
    Array.isArray(content) ? content : [],
  );
  return JSON.stringify(blocks.findLast(({ type }) => type === 'tool_result')?.content ?? null);
}
