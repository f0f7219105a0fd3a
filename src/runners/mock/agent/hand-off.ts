import { field, openPullRequest } from './pull-request.ts';
import type { Session } from './session.ts';

/**
 * Opens a pull request if the script says so, comments, then moves the issue. In this order: the move is what ends the run, so nothing may come after it.
 * The comment is written once per delivered commit, however often the run is repeated.
 */
export async function handOff(session: Session): Promise<void> {
  const { issue, script, memory, repository } = session;
  const delivered = repository === null ? `step ${script.turns}` : await repository.head();
  const pullRequest = script.pull_request ? await openPullRequest(session) : null;
  const comment = session.tools.find((name) => name.endsWith('issue_comment'));
  if (comment !== undefined && memory.commentedFor !== delivered) {
    const result = await session.callTool(comment, { body: commentText(session, delivered, pullRequest) });
    if (result.success) {
      memory.commentedFor = delivered;
      session.remember();
    } else {
      await session.say('message', `The comment was refused: ${result.error.message}`);
    }
  }
  await session.reportUsage(1);
  const move = session.tools.find((name) => name.endsWith('issue_move'));
  if (move === undefined) {
    return session.say('message', `No tool to move ${issue.identifier} is offered: it stays where it is`);
  }
  const result = await session.callTool(move, { state: script.state });
  const other = result.success ? null : await otherReviewState(session);
  const again = other === null ? result : await session.callTool(move, { state: other });
  if (!again.success) {
    throw new Error(`${issue.identifier} could not be moved to ${script.state}: ${again.error.message}`);
  }
  session.handedOff = true;
}

const USUAL_STATE = 'Human Review';

/** What this tracker calls a review, where it does not know the usual name and the script names no other. */
async function otherReviewState({ script, tools, callTool }: Session): Promise<string | null> {
  const get = tools.find((name) => name.endsWith('issue_get'));
  if (script.state !== USUAL_STATE || get === undefined) return null;
  const result = await callTool(get, {});
  const states = result.success ? field(result.output, 'available_states') : [];
  return (Array.isArray(states) ? states : []).find((name) => /review/i.test(String(name))) ?? null;
}

function commentText(session: Session, delivered: string, pullRequest: string | null): string {
  const { repository, script } = session;
  if (repository === null)
    return 'The work is done; the workspace is no git repository, so there is no commit.';
  const where = repository.hasOrigin && script.forgets_push === 'no' ? 'pushed to' : 'committed on';
  const seen = pullRequest === null ? '' : ` Pull request: ${pullRequest}`;
  return `The work is done: ${where} \`${repository.branch}\` at ${delivered.slice(0, 12)}.${seen}`;
}
