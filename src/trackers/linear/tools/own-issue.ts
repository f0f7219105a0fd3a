import type { Issue } from '../../../domain/issue.ts';
import { includesState, sameState } from '../../../domain/state-name.ts';
import { AppError } from '../../../errors/app-error.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import { graphqlError, type LinearClient } from '../client.ts';
import { MOVE_ISSUE, OWN_STATE } from '../documents.ts';
import { type LinearState, OwnState } from '../schema.ts';

export interface OwnIssueOptions {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
}

export interface Move {
  readonly from: string;
  readonly to: string;
}

/** What tools do with the issue of their run, and the one rule they all obey: what a person stopped stays stopped. */
export interface OwnIssueDesk {
  read(document: string, issue: Issue, signal: AbortSignal): Promise<Readonly<Record<string, unknown>>>;
  readState(issue: Issue, signal: AbortSignal): Promise<OwnState>;
  /** Throws unless an agent may still change the issue. */
  assertOpen(own: OwnState): void;
  /** Throws unless an agent may take the issue from its present state to this one. */
  assertMayMove(own: OwnState, target: LinearState): void;
  /** Throws unless a new issue may be filed in this state. */
  assertMayFile(own: OwnState, target: LinearState): void;
  move(issue: Issue, wanted: string, signal: AbortSignal): Promise<Move>;
}

export function createOwnIssueDesk(options: OwnIssueOptions): OwnIssueDesk {
  const { client, activeStates, terminalStates } = options;

  async function read(
    document: string,
    issue: Issue,
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    const { data, errors } = await client.send({
      document,
      variables: { id: issue.id },
      purpose: 'tool',
      signal,
    });
    const found = data?.['issue'];
    if (typeof found === 'object' && found !== null) return found as Readonly<Record<string, unknown>>;
    const [error] = errors;
    if (error !== undefined && !/not found/i.test(error.message)) throw graphqlError(error);
    throw new ToolRefusal(
      'issue_not_found',
      `${issue.identifier} is no longer in Linear. Stop working on it.`,
    );
  }

  async function readState(issue: Issue, signal: AbortSignal): Promise<OwnState> {
    const own = OwnState.safeParse(await read(OWN_STATE, issue, signal));
    if (own.success && own.data.id === issue.id) return own.data;
    throw new AppError('tracker_response', `Linear's answer about ${issue.identifier} is not an issue.`);
  }

  function assertOpen(own: OwnState): void {
    if (own.trashed === true)
      throw new ToolRefusal('issue_closed', 'The issue was deleted. Stop working on it.');
    if (includesState(terminalStates, own.state.name)) {
      throw new ToolRefusal(
        'issue_closed',
        `The issue is already ${own.state.name}, which is final. Stop working on it.`,
      );
    }
    if (own.project?.slugId !== options.projectSlug)
      throw new ToolRefusal('out_of_scope', 'The issue was moved to another project. Stop working on it.');
  }

  function assertMayMove(own: OwnState, target: LinearState): void {
    assertOpen(own);
    if (!includesState(activeStates, own.state.name) && includesState(activeStates, target.name)) {
      throw new ToolRefusal(
        'issue_on_hold',
        `The issue was moved to ${own.state.name}; only a person can take it back to work.`,
      );
    }
  }

  function assertMayFile(own: OwnState, target: LinearState): void {
    assertOpen(own);
    if (!includesState([...activeStates, ...terminalStates], target.name)) return;
    throw new ToolRefusal(
      'follow_up_not_parked',
      `A follow-up waits for a person, so it may not be filed as ${target.name}. Choose another state, for example Backlog.`,
    );
  }

  return {
    read,
    readState,
    assertOpen,
    assertMayMove,
    assertMayFile,
    async move(issue, wanted, signal) {
      const own = await readState(issue, signal);
      const target = findState(own, wanted);
      if (target.id === own.state.id) return { from: own.state.name, to: target.name };
      assertMayMove(own, target);
      const data = await client.query({
        document: MOVE_ISSUE,
        variables: { id: issue.id, stateId: target.id },
        purpose: 'tool',
        signal,
        idempotent: false,
      });
      assertSucceeded(data['issueUpdate']);
      return { from: own.state.name, to: target.name };
    },
  };
}

/** By name, in the issue's own team. */
function findState(own: OwnState, wanted: string): LinearState {
  const { nodes } = own.team.states;
  const found = nodes.find((state) => sameState(state.name, wanted));
  if (found !== undefined) return found;
  const known = nodes.map((state) => state.name).join(', ');
  throw new ToolRefusal('unknown_state', `There is no state ${JSON.stringify(wanted)}. States: ${known}.`);
}

export function assertSucceeded(payload: unknown): void {
  if (typeof payload === 'object' && payload !== null && 'success' in payload && payload.success === true)
    return;
  throw new AppError(
    'tracker_response',
    'Linear did not confirm the change; look at the issue before trying again.',
  );
}
