import type { ResolvedAgent } from '../config/kinds.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { CommandResult } from '../process/children/child.ts';

/** An agent's environment as a run would have it, without what only a run has. */
export type AgentEnvironment = Readonly<Record<string, string>>;

export interface CodexVersionFacts {
  /** Null when the program does not tell; then `reason` says what it did instead. */
  readonly version: string | null;
  readonly reason: string;
  /** The version whose protocol is pinned. */
  readonly tested: string;
}

/** What Codex's own settings say. */
export interface CodexSettingsFacts {
  /** The model provider they name; null when that is Codex's own. */
  readonly provider: string | null;
  /** Whether they open the network to commands in the sandbox. */
  readonly network: boolean;
}

export interface ClaudeSdk {
  /** Null when it brings no program for this machine, or is not installed. */
  readonly version: string | null;
  /** The command that installs or updates it. */
  readonly install: string;
}

/** What may be looked at to judge an agent. Nothing leaves a trace. */
export interface AgentLook {
  /** The program a command of the workflow starts; null when only a shell can tell. */
  programOf(command: string): string | null;
  /** The full path of a program on the PATH of an environment, or null. */
  findProgram(program: string, env: AgentEnvironment): Promise<string | null>;
  runProgram(program: string, args: readonly string[], env: AgentEnvironment): Promise<CommandResult>;
  codexVersion(command: string, env: AgentEnvironment): Promise<CodexVersionFacts>;
  codexSettings(env: AgentEnvironment): Promise<CodexSettingsFacts>;
  /** The program that the optional Claude Agent SDK brings. */
  findClaudeSdk(): ClaudeSdk;
}

/** An agent that is judged. */
export type Inspected = Pick<ResolvedAgent, 'kind' | 'command' | 'options'>;

/** What an agent's folder knows about a set-up that works with it: `inspect.ts` there exports one as `inspection`. */
export interface AgentInspection {
  /** Whether its program is there, and of a version that works. `program` is null when only a shell can tell. */
  judgeProgram(
    agent: Inspected,
    program: string | null,
    env: AgentEnvironment,
    look: AgentLook,
  ): Promise<Verdict>;
  /** How its own program tells whether it is signed in to its model; null when it does not. */
  readonly signIn: {
    /** The program that tells. */
    readonly program: string;
    judge(
      path: string,
      env: AgentEnvironment,
      look: Pick<AgentLook, 'runProgram' | 'codexSettings'>,
    ): Promise<Verdict>;
  } | null;
  /** What stands in the way of the commands that the prompt asks it to run. */
  judgeVerifyCommands(agent: Inspected, commands: readonly string[]): readonly Verdict[];
  /** A sandbox of its own; null when it has none. */
  readonly ownSandbox: {
    readonly name: string;
    /** What opens the network, as the workflow has it. */
    readonly openNetwork: string;
    hasNetwork(
      agent: Inspected,
      env: AgentEnvironment,
      look: Pick<AgentLook, 'codexSettings'>,
    ): Promise<boolean>;
  } | null;
}

/** Where programs are looked for. */
export const WHERE_PROGRAMS_ARE =
  'PATH is that of the login files of the user of the worker, then that of the worker itself.';
