/** What the agent in the sandbox does, in the words of `test/fakes/codex/hostile-agent.mjs`. */
export type Step =
  /** A shell script in the workspace; its output is kept in `loot`. */
  | { readonly sh: string }
  /** Lines of the protocol, as they are; `$THREAD` and `$TURN` stand for the run's own. */
  | { readonly lines: readonly string[] }
  | { readonly flood: { readonly text: string; readonly bytes: number } }
  | { readonly tool: { readonly name: string; readonly arguments: unknown } }
  | { readonly storm: { readonly name: string; readonly arguments: unknown; readonly times: number } }
  | { readonly http: HttpStep };

export interface HttpStep {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** One thing a hostile agent does; a later attack is one more row. */
export interface Attack {
  readonly name: string;
  readonly steps: readonly Step[];
  /** The next run finds what it left. */
  readonly leavesFiles?: boolean;
  /** The run goes on as if nothing had happened. */
  readonly survives?: boolean;
  /** Of what came back: texts that must not be in it, besides every secret. */
  readonly notInLoot?: readonly (string | RegExp)[];
  /** Texts that must be in it: the attack was really carried out, and refused. */
  readonly inLoot?: readonly (string | RegExp)[];
}

/** What an attack may name: places of the host that an agent knows, or guesses. */
export interface Surroundings {
  /** A program that leaves a proof when it runs outside; another for each attack. */
  readonly program: string;
  /** A repository of somebody else, and its head. */
  readonly foreign: string;
  readonly foreignHead: string;
  /** The folder of another run, that lives through all attacks. */
  readonly neighbour: string;
  readonly root: string;
  readonly mirrorRoot: string;
  readonly home: string;
  /** Where the worker listens. */
  readonly url: string;
  readonly port: string;
  /** The issue of the other run. */
  readonly otherId: string;
  readonly otherIdentifier: string;
  /** The attack's own issue. */
  readonly id: string;
  readonly identifier: string;
}

export function inShell(name: string, script: string): Attack {
  return { name, steps: [{ sh: script }] };
}

/** What is left in the workspace is the attack. */
export function leaving(name: string, script: string): Attack {
  return { ...inShell(name, script), leavesFiles: true };
}
