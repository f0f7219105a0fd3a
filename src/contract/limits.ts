/** How many rows the bounded lists of a snapshot hold. The server and the reducer cut at the same length. */
export const LIST_LIMITS = {
  ended: 100,
  in_review: 100,
  recent_events: 200,
  completed_session_usage: 200,
  waiting: 500,
  blocked: 500,
  retrying: 500,
  operator_terminal_stops: 100,
  /** Each of the lists of issue ids: `completed` and the three after it. */
  issue_ids: 200,
  ignored: 50,
} as const;
