import type { ResolvedAgent } from '../config/kinds.ts';
import type { Verdict } from '../domain/verdict.ts';
import type { CommandResult } from '../process/children/child.ts';

/** An agent's environment as a run would have it, without what only a run has. */
export type AgentEnvironment = Readonly<Record<string, string>>;

/** What may be looked at to judge an agent. Nothing leaves a trace. */
export interface AgentLook {
  /** The program a command of the workflow starts; null when only a shell can tell. */
  programOf(command: string): string | null;
  /** The full path of a program on the PATH of an environment, or null. */
  findProgram(program: string, env: AgentEnvironment): Promise<string | null>;
  runProgram(program: string, args: readonly string[], env: AgentEnvironment): Promise<CommandResult>;
  /** The text of a file; empty when it cannot be read. */
  readText(path: string): Promise<string>;
  /** The version of a program that a package brings; `find` gives its path, from the folders where packages may be installed. */
  bundledVersion(find: (folders: readonly string[]) => string | null): string | null;
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
      look: Pick<AgentLook, 'runProgram' | 'readText'>,
    ): Promise<Verdict>;
  } | null;
  /** What stands in the way of the commands that the prompt asks it to run. */
  judgeVerifyCommands(agent: Inspected, commands: readonly string[]): readonly Verdict[];
  /** A sandbox of its own; null when it has none. */
  readonly ownSandbox: {
    readonly name: string;
    /** What opens the network, as the workflow has it. */
    readonly openNetwork: string;
    hasNetwork(agent: Inspected, env: AgentEnvironment, look: Pick<AgentLook, 'readText'>): Promise<boolean>;
  } | null;
}

/** Where programs are looked for. */
export const WHERE_PROGRAMS_ARE =
  'PATH is that of the login files of the user of the worker, then that of the worker itself.';
