import { EXIT } from './exit-codes.ts';

interface CodeEntry {
  /** What the code means, for the generated reference. */
  readonly summary: string;
  readonly exitCode: number;
  readonly httpStatus: number;
}

function entry(summary: string, exitCode: number = EXIT.failed, httpStatus = 500): CodeEntry {
  return { summary, exitCode, httpStatus };
}

/** The closed table of errors a user can meet. */
export const ERROR_CODES = {
  missing_workflow_file: entry('The workflow file does not exist or cannot be read.'),
  workflow_parse_error: entry('The front matter is not valid YAML, or a key has a wrong value.'),
  workflow_front_matter_not_a_map: entry('The front matter is YAML but not a map of keys.'),
  setup_broken: entry(
    'A rule about the set-up says that runs cannot work, and how to put it right.',
    EXIT.setupBroken,
  ),
  template_parse_error: entry('The prompt template is not valid Liquid.'),
  template_render_error: entry('The prompt template failed to render: an unknown variable or filter.'),
  unsupported_tracker_kind: entry('tracker.kind names no tracker this worker has.'),
  invalid_tracker_config: entry('The tracker settings are incomplete or contradictory.'),
  missing_tracker_secret: entry('The tracker needs a credential that is unset or empty.'),
  tracker_request: entry('The tracker could not be reached.', EXIT.failed, 502),
  tracker_status: entry('The tracker answered with an error status.', EXIT.failed, 502),
  tracker_response: entry('The tracker answered with something that is not a valid issue.', EXIT.failed, 502),
  tracker_pagination: entry('The tracker listing broke off between pages.', EXIT.failed, 502),
  tracker_rate_limited: entry('The tracker asked to slow down.', EXIT.failed, 503),
  issue_not_found: entry('No issue has this id or identifier.', EXIT.failed, 404),
  issue_conflict: entry('The issue file changed while it was being edited.', EXIT.failed, 409),
  invalid_issue_file: entry('A local issue file is not valid.', EXIT.failed, 422),
  invalid_workspace_cwd: entry('The workspace path is outside the workspace root or not a directory.'),
  workspace_unusable: entry('The workspace could not be prepared.'),
  repository_unsafe: entry(
    'A repository in a workspace holds something that git must not read.',
    EXIT.failed,
    409,
  ),
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
  run_not_found: entry('No run has this id.', EXIT.failed, 404),
  worker_ended: entry('The worker that another command started ended before it was ready.'),
  telemetry_unavailable: entry('Traces are wanted, but the packages that send them are not installed.'),
  usage: entry('The command line is wrong.', EXIT.usage, 400),
  method_not_allowed: entry('The route exists but not for this method.', EXIT.failed, 405),
  not_found: entry('There is nothing at this address.', EXIT.failed, 404),
  forbidden: entry('The request is not allowed from here.', EXIT.failed, 403),
  invalid_refresh_body: entry('The refresh body must be empty or {}.', EXIT.failed, 400),
  refresh_body_too_large: entry('The refresh body is too large.', EXIT.failed, 413),
  refresh_header_required: entry('A refresh needs the header X-AIOPS-Refresh: true.', EXIT.failed, 403),
  action_not_applicable: entry(
    'The issue is in a state this action does not apply to.',
    EXIT.notApplicable,
    409,
  ),
  push_failed: entry("The issue's branch could not be pushed.", EXIT.failed, 409),
  action_header_required: entry('An action needs the header X-AIOPS-Refresh: true.', EXIT.failed, 403),
  invalid_action_body: entry('The body of the action is not what it takes.', EXIT.failed, 400),
  request_too_large: entry('The request body is too large.', EXIT.failed, 413),
  webhook_signature: entry('The webhook is not signed with the secret of this worker.', EXIT.failed, 401),
  webhook_stale: entry('The webhook was signed too long ago, or by a clock that is wrong.', EXIT.failed, 400),
  webhook_busy: entry('Too many webhooks come at the same time.', EXIT.failed, 503),
  read_only_token: entry('The token may only read.', EXIT.noAccess, 403),
  too_many_failures: entry('Too many wrong tokens or signatures came from this address.', EXIT.failed, 429),
  too_many_streams: entry('Too many clients follow the stream of events.', EXIT.failed, 503),
  wrong_worker: entry('Another worker answers where the meant one should.', EXIT.noWorker, 409),
  worker_unreachable: entry('No worker answers at the address.', EXIT.noWorker, 502),
  unauthorized: entry('The request carries no valid token.', EXIT.noAccess, 401),
  operator_token_required: entry(
    'The request needs the token that the worker made for its user.',
    EXIT.noAccess,
    401,
  ),
  misdirected_request: entry(
    'The Host header does not name this machine, and no token is set.',
    EXIT.failed,
    421,
  ),
  invalid_request: entry('The request is malformed.', EXIT.failed, 400),
  internal_error: entry('A bug: please report it.', EXIT.failed, 500),
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
