interface CodeEntry {
  /** What the code means, for the generated reference. */
  readonly summary: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}

function entry(summary: string, exitCode = 1, httpStatus = 500): CodeEntry {
  return { summary, exitCode, httpStatus };
}

/** The closed table of errors a user can meet. */
export const ERROR_CODES = {
  missing_workflow_file: entry('The workflow file does not exist or cannot be read.'),
  workflow_parse_error: entry('The front matter is not valid YAML, or a key has a wrong value.'),
  workflow_front_matter_not_a_map: entry('The front matter is YAML but not a map of keys.'),
  template_parse_error: entry('The prompt template is not valid Liquid.'),
  template_render_error: entry('The prompt template failed to render: an unknown variable or filter.'),
  unsupported_tracker_kind: entry('tracker.kind names no tracker this worker has.'),
  invalid_tracker_config: entry('The tracker settings are incomplete or contradictory.'),
  missing_tracker_secret: entry('The tracker needs a credential that is unset or empty.'),
  tracker_request: entry('The tracker could not be reached.', 1, 502),
  tracker_status: entry('The tracker answered with an error status.', 1, 502),
  tracker_response: entry('The tracker answered with something that is not a valid issue.', 1, 502),
  tracker_pagination: entry('The tracker listing broke off between pages.', 1, 502),
  tracker_rate_limited: entry('The tracker asked to slow down.', 1, 503),
  issue_not_found: entry('No issue has this id or identifier.', 1, 404),
  issue_conflict: entry('The issue file changed while it was being edited.', 1, 409),
  invalid_issue_file: entry('A local issue file is not valid.'),
  invalid_workspace_cwd: entry('The workspace path is outside the workspace root or not a directory.'),
  workspace_unusable: entry('The workspace could not be prepared.'),
  repository_unsafe: entry('A repository in a workspace holds something that git must not read.', 1, 409),
  workspace_foreign: entry('The workspace belongs to another tracker scope, repository or issue.'),
  workspace_root_unwritable: entry('The workspace root cannot be created or written.'),
  folder_not_private: entry('A folder that holds secrets or state of the worker is open to other users.'),
  hook_failed: entry('A workspace hook failed or timed out.'),
  disk_full: entry('There is too little free disk space for a workspace or its mirror.'),
  git_missing: entry('git is not installed or too old.'),
  git_failed: entry('A git command failed.'),
  agent_not_found: entry('The agent executable was not found.'),
  agent_failed: entry('The agent process failed.'),
  agent_unauthorized: entry('The agent is not signed in to its model.'),
  agent_overloaded: entry('The model of the agent is overloaded.'),
  context_overflow: entry('The conversation of the agent no longer fits into its model.'),
  response_timeout: entry('The agent did not answer a request in time.'),
  turn_timeout: entry('The agent was silent for longer than the turn timeout.'),
  turn_failed: entry('The agent reported that its turn failed.'),
  port_exit: entry('The agent process ended in the middle of its work.'),
  lock_unavailable: entry('A lock file is held by another process or cannot be written.'),
  server_bind_failed: entry('The HTTP listener could not be started.'),
  shared_root: entry('Two workflows would use the same directories in a way that harms one of them.'),
  worker_already_running: entry('Another worker already serves this tracker scope and workspace root.'),
  journal_unreadable: entry('The record of runs does not exist or cannot be read.'),
  run_not_found: entry('No run has this id.', 1, 404),
  worker_ended: entry('The worker that another command started ended before it was ready.'),
  telemetry_unavailable: entry('Traces are wanted, but the packages that send them are not installed.'),
  usage: entry('The command line is wrong.', 2, 400),
  method_not_allowed: entry('The route exists but not for this method.', 1, 405),
  not_found: entry('There is nothing at this address.', 1, 404),
  forbidden: entry('The request is not allowed from here.', 1, 403),
  invalid_refresh_body: entry('The refresh body must be empty or {}.', 1, 400),
  refresh_body_too_large: entry('The refresh body is too large.', 1, 413),
  refresh_header_required: entry('A refresh needs the header X-AIOPS-Refresh: true.', 1, 403),
  action_not_applicable: entry('The issue is in a state this action does not apply to.', 5, 409),
  push_failed: entry("The issue's branch could not be pushed.", 1, 409),
  action_header_required: entry('An action needs the header X-AIOPS-Refresh: true.', 1, 403),
  invalid_action_body: entry('The body of the action is not what it takes.', 1, 400),
  request_too_large: entry('The request body is too large.', 1, 413),
  webhook_signature: entry('The webhook is not signed with the secret of this worker.', 1, 401),
  webhook_stale: entry('The webhook was signed too long ago, or by a clock that is wrong.', 1, 400),
  webhook_busy: entry('Too many webhooks come at the same time.', 1, 503),
  read_only_token: entry('The token may only read.', 4, 403),
  too_many_failures: entry('Too many wrong tokens or signatures came from this address.', 1, 429),
  too_many_streams: entry('Too many clients follow the stream of events.', 1, 503),
  wrong_worker: entry('Another worker answers where the meant one should.', 3, 409),
  worker_unreachable: entry('No worker answers at the address.', 3, 502),
  unauthorized: entry('The request carries no valid token.', 4, 401),
  operator_token_required: entry('The request needs the token that the worker made for its user.', 4, 401),
  misdirected_request: entry('The Host header does not name this machine, and no token is set.', 1, 421),
  invalid_request: entry('The request is malformed.', 1, 400),
  internal_error: entry('A bug: please report it.', 1, 500),
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
