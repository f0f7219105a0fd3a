import { isRecord } from '../../../domain/is-record.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';

/** New issues that agents filed for each issue they worked on, for as long as the worker lives. */
export interface FollowUps {
  /** Counts them; refuses more than an issue may have. */
  reserve(issueId: string, count: number): void;
  /** Remembers what one part of an answer says was made. */
  learn(issueId: string, payload: unknown): void;
  /** By id or identifier. */
  has(issueId: string, followUp: string): boolean;
}

/** An agent that files issue after issue is a runaway. */
const MAX_PER_ISSUE = 10;

export function createFollowUps(): FollowUps {
  const filed = new Map<string, { count: number; readonly names: Set<string> }>();
  const of = (issueId: string): { count: number; readonly names: Set<string> } => {
    const known = filed.get(issueId) ?? { count: 0, names: new Set() };
    filed.set(issueId, known);
    return known;
  };
  return {
    reserve(issueId, count) {
      const known = of(issueId);
      if (known.count + count > MAX_PER_ISSUE)
        throw new ToolRefusal(
          'too_many_follow_ups',
          `An agent may file ${MAX_PER_ISSUE} follow-ups for an issue. Put the rest into one comment.`,
        );
      known.count += count;
    },
    learn(issueId, payload) {
      const made = isRecord(payload) && isRecord(payload['issue']) ? payload['issue'] : {};
      for (const name of [made['id'], made['identifier']]) {
        if (typeof name === 'string' && name !== issueId) of(issueId).names.add(name.toLowerCase());
      }
    },
    has: (issueId, followUp) => filed.get(issueId)?.names.has(followUp.toLowerCase()) === true,
  };
}
