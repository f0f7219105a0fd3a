import { openPullRequest } from './pull-request.ts';
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
  if (!result.success) {
    throw new Error(`${issue.identifier} could not be moved to ${script.state}: ${result.error.message}`);
  }
}

function commentText(session: Session, delivered: string, pullRequest: string | null): string {
  const { repository } = session;
  if (repository === null)
    return 'The work is done; the workspace is no git repository, so there is no commit.';
  const where = repository.hasOrigin ? 'pushed to' : 'committed on';
  const seen = pullRequest === null ? '' : ` Pull request: ${pullRequest}`;
  return `The work is done: ${where} \`${repository.branch}\` at ${delivered.slice(0, 12)}.${seen}`;
}
