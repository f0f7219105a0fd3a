/** How many rows the bounded lists of a snapshot hold. The server and the reducer cut at the same length. */
export const LIST_LIMITS = {
  ended: 100,
  recent_events: 200,
  completed_session_usage: 1000,
  waiting: 500,
  ignored: 50,
} as const;
