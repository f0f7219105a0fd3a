import { type Agent, type AgentChoice, describeChoice } from '../core/profile.ts';
import type { IssueRecord } from '../core/state.ts';

/** The conversation an agent may go on with: one it led itself, under the same profile. */
export function sessionToResume({ session }: IssueRecord, agent: Agent): string | null {
  const isOwn = session?.runner === agent.runner && session.profile === agent.profile;
  return isOwn ? session.sessionId : null;
}

/** What the history says of a run's agent: which profile, and that another agent's conversation ends here. */
export function aboutAgent({ session }: IssueRecord, choice: AgentChoice): string {
  const { agent, because } = choice;
  const who = agent.profile === null && because === null ? '' : ` with ${describeChoice(choice)}`;
  if (session === null || (session.runner === agent.runner && session.profile === agent.profile)) return who;
  const last = session.profile === null ? session.runner : `${session.runner} (profile ${session.profile})`;
  return `${who}, in a new session: the last one was of ${last}`;
}
