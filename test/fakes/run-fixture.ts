import type { HookName } from '../../src/config/config.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { RunEvent, TurnDecision } from '../../src/domain/run-event.ts';
import { NO_EVIDENCE, type RunEvidence, type StopReason } from '../../src/domain/run-outcome.ts';
import { AppError } from '../../src/errors/app-error.ts';
import { silentLogger } from '../../src/observability/logger.ts';
import { createRunExecutor } from '../../src/run/execute-run.ts';
import type { RunChannel, RunSpec } from '../../src/run/protocol.ts';
import type { RunPorts } from '../../src/run/run-ports.ts';
import type { AgentSession, SessionInput, TurnResult } from '../../src/runners/runner.ts';
import type { Workspace } from '../../src/workspaces/workspaces.ts';
import { pushNowhere } from './no-remote.ts';
import { makeIssue } from './scheduler-fixture.ts';

const WORKSPACE: Workspace = {
  path: '/workspaces/A',
  key: 'A',
  createdNow: true,
  git: { branch: 'ai/a', baseBranch: 'main', headAtStart: 'c0' },
};

/** A run with everything around it scripted, that writes down in order what it did. */
export class RunFixture {
  /** Relays for plain pushes that are open. */
  relays = 0;
  readonly log: string[] = [];
  readonly prompts: string[] = [];
  readonly events: RunEvent[] = [];
  /** The directory the agent was launched in. */
  startedIn: string | null = null;
  /** What the run showed when it was asked for what the workspace holds. */
  readonly shown: RunEvidence[] = [];
  evidence: Partial<RunEvidence> = {};
  workspace: Workspace = WORKSPACE;
  failingHook: HookName | null = null;
  failing: 'workspace' | 'prompt' | 'check' | 'start' | null = null;
  resumes = false;
  decisions: TurnDecision[] = [{ kind: 'finish', why: 'left_active' }];
  turns: (() => Promise<TurnResult> | TurnResult)[] = [() => ({ kind: 'completed' })];
  steer: AgentSession['steer'] = null;
  push: RunChannel['push'] = (request) => pushNowhere('', request, new AbortController().signal);
  callTool: RunChannel['callTool'] = async () => ({ success: true, output: null });
  /** The tools as the agent has them, once its session is open. */
  agentTool: RunChannel['callTool'] = async () => {
    throw new Error('there is no session');
  };
  spec: Partial<RunSpec> = {};
  timeoutMs = 60_000;
  /** Real parts in place of scripted ones. */
  ports: Partial<RunPorts> = {};
  readonly #stop = new AbortController();
  #say: (text: string) => void = () => {};

  stop(reason: StopReason = { kind: 'inactive', state: 'Backlog' }): void {
    this.#stop.abort(reason);
  }

  say(text: string): void {
    this.#say(text);
  }

  get settings(): RunSpec['settings'] {
    const settings: Partial<Record<keyof RunSpec['settings'], unknown>> = {
      agent: { timeoutMs: this.timeoutMs },
      repo: null,
      prompt: { delimit: false },
    };
    return settings as RunSpec['settings'];
  }

  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  run(): ReturnType<ReturnType<typeof createRunExecutor>> {
    const spec: RunSpec = {
      runId: 'r1',
      issue: makeIssue('a'),
      attempt: null,
      retryKind: null,
      maxTurns: 5,
      resumeSessionId: null,
      profile: null,
      answer: null,
      tools: [],
      secretEnvironmentNames: [],
      settings: this.settings,
      ...this.spec,
    };
    return createRunExecutor({ ...this.#ports(), ...this.ports })(spec, this.#channel());
  }

  #channel(): RunChannel {
    return {
      stop: this.#stop.signal,
      emit: (event) => void this.events.push(event),
      onMessage: (listener) => {
        this.#say = listener;
      },
      mayContinue: async (_turn, evidence) => {
        if (evidence !== undefined) this.shown.push(evidence);
        return this.decisions.shift() ?? { kind: 'finish', why: 'turn_limit' };
      },
      callTool: (call) => this.callTool(call),
      push: (request) => this.push(request),
    };
  }

  #ports(): RunPorts {
    return {
      clock: systemClock,
      logger: silentLogger,
      workspaces: () => ({
        prepare: async () => {
          this.#fail('workspace');
          this.log.push('prepare');
          return this.workspace;
        },
        evidence: async () => {
          this.log.push('evidence');
          return { ...NO_EVIDENCE, newCommits: 1, ...this.evidence };
        },
        push: pushNowhere,
        branchStanding: async () => ({ pushed: null, commitsAhead: null }),
        openRelay: () => {
          this.relays += 1;
          return {
            close: async () => {
              this.relays -= 1;
            },
          };
        },
        reread: async (workspace) => {
          this.log.push('reread');
          return workspace;
        },
        confirmCreated: async () => void this.log.push('confirm'),
        remove: async () => ({ removed: true, rescuedTo: null }),
        list: async () => [],
      }),
      runner: async () => ({ kind: 'scripted', start: (input) => this.#start(input) }),
      renderPrompt: async () => {
        this.#fail('prompt');
        return 'PROMPT';
      },
      runHook: async (name) => {
        this.log.push(name);
        if (this.failingHook === name) throw new AppError('hook_failed', `${name} failed`);
      },
      writeTaskFiles: async () => void this.log.push('task files'),
      assertWorkspace: async () => {
        this.#fail('check');
      },
      agentEnvironment: () => ({}),
    };
  }

  async #start(input: SessionInput): Promise<AgentSession> {
    this.#fail('start');
    this.log.push('start');
    this.startedIn = input.workspacePath;
    this.agentTool = input.callTool;
    input.onEvent({ type: 'session_started', sessionId: 's', pid: 1, model: null, resumed: this.resumes });
    return {
      steer: this.steer,
      runTurn: async (prompt) => {
        this.prompts.push(prompt);
        return (this.turns.shift() ?? (() => ({ kind: 'completed' }) as const))();
      },
      stop: async () => void this.log.push('stop'),
    };
  }

  #fail(where: RunFixture['failing']): void {
    if (this.failing === where) throw new AppError('workspace_unusable', `${where} failed`);
  }
}
