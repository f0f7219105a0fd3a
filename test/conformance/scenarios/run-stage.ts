import type { HookName } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import type { RunEvent, TurnDecision } from '../../../src/domain/run-event.ts';
import { NO_EVIDENCE, type RunResult, type StopReason } from '../../../src/domain/run-outcome.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import { runSettings } from '../../../src/orchestrator/run-settings.ts';
import { createRunExecutor } from '../../../src/run/execute-run.ts';
import type { RunChannel, RunSpec } from '../../../src/run/protocol.ts';
import type { RunPorts } from '../../../src/run/run-ports.ts';
import type { Runner, SessionInput, TurnResult } from '../../../src/runners/runner.ts';
import type { Workspace } from '../../../src/workspaces/workspaces.ts';
import { makeIssue } from '../../fakes/scheduler-driver.ts';
import { recordLines } from './record-lines.ts';
import { configOf } from './workflow.ts';

/** What goes wrong, and what the agent and the scheduler answer; everything else goes well. */
export interface RunScript {
  readonly createdNow?: boolean;
  readonly fails?: readonly ('prepare' | 'prompt' | 'session' | HookName)[];
  /** One result per turn; completed when there is none. */
  readonly turns?: readonly TurnResult[];
  /** One decision per completed turn; finish when there is none. */
  readonly decisions?: readonly TurnDecision[];
  /** Called before each step, so that a test can interfere. */
  onStep?(step: string): void;
}

const WORKSPACE: Workspace = { path: '/w/ENG-1', key: 'ENG-1', createdNow: false, git: null };

/** One run of the real executor between stand-ins that write down each step. */
export class RunStage {
  readonly steps: string[] = [];
  readonly prompts: string[] = [];
  readonly events: RunEvent[] = [];
  readonly sessions: SessionInput[] = [];
  readonly log = recordLines();
  readonly issue = makeIssue('a', { identifier: 'ENG-1' });
  readonly #script: RunScript;
  readonly #stop = new AbortController();

  constructor(script: RunScript = {}) {
    this.#script = script;
  }

  run(spec: Partial<RunSpec> = {}): Promise<RunResult> {
    const full: RunSpec = {
      runId: 'run-1',
      issue: this.issue,
      attempt: null,
      retryKind: null,
      maxTurns: 3,
      resumeSessionId: null,
      answer: null,
      tools: [{ name: 'issue_move', description: 'moves', inputSchema: { type: 'object' } }],
      secretEnvironmentNames: [],
      settings: runSettings(configOf()),
      ...spec,
    };
    return createRunExecutor(this.#ports())(full, this.#channel());
  }

  stop(reason: StopReason): void {
    this.#stop.abort(reason);
  }

  /** The phases it went through, each once. */
  get phases(): readonly string[] {
    return [...new Set(this.events.flatMap((event) => (event.type === 'phase' ? [event.phase] : [])))];
  }

  #step(name: string): void {
    this.steps.push(name);
    this.#script.onStep?.(name);
  }

  /** Does the step, unless the script says that it fails. */
  async #try(name: 'prepare' | 'prompt' | 'session' | HookName): Promise<void> {
    this.#step(name);
    if (this.#script.fails?.includes(name) === true) throw new AppError('hook_failed', `${name} failed`);
  }

  #ports(): RunPorts {
    return {
      clock: systemClock,
      logger: this.log.logger,
      workspaces: () => ({
        prepare: async () => {
          await this.#try('prepare');
          return { ...WORKSPACE, createdNow: this.#script.createdNow ?? false };
        },
        confirmCreated: async () => this.#step('confirmCreated'),
        reread: async (workspace) => workspace,
        evidence: async () => NO_EVIDENCE,
        remove: async () => ({ removed: false, rescuedTo: null }),
        list: async () => [],
      }),
      runHook: (name) => this.#try(name),
      renderPrompt: async (spec) => {
        await this.#try('prompt');
        return `The whole prompt of ${spec.issue.identifier}`;
      },
      writeTaskFiles: async () => {},
      agentEnvironment: () => ({ PATH: '/bin' }),
      runner: async () => this.#runner(),
    };
  }

  #runner(): Runner {
    return {
      kind: 'scripted',
      start: async (input) => {
        await this.#try('session');
        this.sessions.push(input);
        return {
          runTurn: async (prompt) => {
            this.prompts.push(prompt);
            this.#step(`turn ${this.prompts.length}`);
            return this.#script.turns?.[this.prompts.length - 1] ?? { kind: 'completed' };
          },
          steer: async () => false,
          stop: async () => this.#step('stop session'),
        };
      },
    };
  }

  #channel(): RunChannel {
    return {
      emit: (event) => void this.events.push(event),
      mayContinue: async (turn) => {
        this.#step(`ask ${turn}`);
        // A run that is being stopped gets no answer any more.
        if (this.#stop.signal.aborted) return new Promise<never>(() => {});
        return this.#script.decisions?.[turn - 1] ?? { kind: 'finish', why: 'left_active' };
      },
      callTool: async () => ({ success: true, output: null }),
      onMessage: () => {},
      stop: this.#stop.signal,
    };
  }
}
