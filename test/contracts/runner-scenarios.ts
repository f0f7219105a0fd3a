import type { Issue } from '../../src/domain/issue.ts';
import type { Runner } from '../../src/runners/runner.ts';
import type { Fixture } from './runner-fixture.ts';

/** What an agent has to be made to do. */
export type Scenario =
  /** One turn: edits a file, commits on the branch, pushes, moves the issue to Human Review by `issue_move`. */
  | 'happy'
  /** Completes three turns. */
  | 'several_turns'
  | 'exits_before_session'
  /** Exits with an error after the first event of its first turn. */
  | 'exits_in_turn'
  | 'fails'
  /** Never opens a session; the runner gives up after two seconds at most. */
  | 'hangs_before_session'
  /** Goes silent in its turn and does not heed an interrupt. */
  | 'hangs'
  /** Works for more than a minute and heeds an interrupt. */
  | 'works_slowly'
  /** Prints 20 MB before it does its work. */
  | 'floods'
  /** Prints malformed lines before it does its work. */
  | 'prints_garbage'
  /** Heeds neither interrupt, end of input nor SIGTERM. */
  | 'ignores_sigterm'
  /** Does its work and leaves a process behind that is in no group or session of the agent. */
  | 'leaves_grandchild'
  | 'asks'
  | 'meets_quota'
  /** Calls a tool that was not offered, then does its work. */
  | 'calls_unknown_tool';

export interface Arrangement {
  /** With graces well under a second, so that the suite is quick. */
  readonly runner: Runner;
  readonly issue: Issue;
  /** Added to the fixture's own. */
  readonly environment?: Readonly<Record<string, string>>;
  dispose?(): Promise<void>;
}

export interface RunnerUnderTest {
  readonly name: string;
  arrange(scenario: Scenario, fixture: Fixture): Promise<Arrangement>;
}
