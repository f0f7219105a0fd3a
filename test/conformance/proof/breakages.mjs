/**
 * Ways to break what lines of the SPEC ask for. With `replace` in place of `find` in `file`, a test that cites each of
 * the lines has to fail. `find` occurs exactly once in its file.
 * @type {readonly { lines: readonly string[], file: string, find: string, replace: string }[]}
 */
export const BREAKAGES = [
  // Which issues may run, and in which order
  {
    lines: ['R-8.2-j', 'R-11.3-e'],
    file: 'src/scheduler/rules/order.ts',
    find: 'const byRank = rankOf(a.priority) - rankOf(b.priority);',
    replace: 'const byRank = 0;',
  },
  {
    lines: ['R-8.2-k', 'R-17.4-a'],
    file: 'src/scheduler/rules/order.ts',
    find: 'createdA < createdB ? -1 : 1',
    replace: 'createdA < createdB ? 1 : -1',
  },
  {
    lines: ['R-8.2-l'],
    file: 'src/scheduler/rules/order.ts',
    find: 'return a.identifier < b.identifier ? -1 :',
    replace: 'return a.identifier < b.identifier ? 1 :',
  },
  {
    lines: ['R-8.2-a'],
    file: 'src/scheduler/rules/eligibility.ts',
    find: "if (issue[field].trim() === '')",
    replace: "if (issue[field] === 'never')",
  },
  {
    lines: ['R-8.2-b'],
    file: 'src/scheduler/rules/eligibility.ts',
    find: "if (settings.terminalSet.has(key)) return 'terminal';",
    replace: '',
  },
  {
    lines: ['R-8.2-c', 'R-17.4-b', 'R-8.2-i'],
    file: 'src/scheduler/rules/eligibility.ts',
    find: 'if (!issue.dispatchable)',
    replace: 'if (issue.undispatchableReason === "never")',
  },
  {
    lines: ['R-8.2-d', 'R-5.3.1-h', 'R-11.1-e', 'R-4.1.1-l'],
    file: 'src/scheduler/rules/eligibility.ts',
    find: 'if (missing.length === 0) return null;',
    replace: 'return null;',
  },
  {
    lines: ['R-5.3.1-i'],
    file: 'src/scheduler/rules/eligibility.ts',
    find: "label === '' || !issue.labels.includes(label)",
    replace: "label !== '' && !issue.labels.includes(label)",
  },
  {
    lines: ['R-4.2-g', 'R-5.3.1-l'],
    file: 'src/domain/state-name.ts',
    find: 'return name.trim().toLowerCase();',
    replace: 'return name;',
  },
  {
    lines: ['R-8.3-a', 'R-8.2-g'],
    file: 'src/scheduler/rules/slots.ts',
    find: 'return this.#total < this.#draft.settings.maxConcurrentAgents;',
    replace: 'return true;',
  },
  {
    lines: ['R-8.3-b', 'R-8.2-h'],
    file: 'src/scheduler/rules/slots.ts',
    find: 'if (limit !== undefined && used >= limit)',
    replace: 'if (limit !== undefined && used >= limit + 99)',
  },
  {
    lines: ['R-8.3-c'],
    file: 'src/scheduler/rules/slots.ts',
    find: 'this.#count(run.issue.state, run.agent.profile);',
    replace: 'this.#count(run.stateAtStart, run.agent.profile);',
  },
  {
    lines: ['R-7.4-b', 'R-8.2-e', 'R-8.2-f'],
    file: 'src/scheduler/phases/dispatch.ts',
    find: 'if (!draft.claims.has(issue.id) && rules.ofCandidate(issue) === null)',
    replace: 'if (rules.ofCandidate(issue) === null)',
  },
  // A tick
  {
    lines: ['R-6.3-d', 'R-8.1-d', 'R-14.2-a', 'R-6.3-c', 'R-17.6-a'],
    file: 'src/scheduler/phases/tick.ts',
    find: "draft.publish('dispatch_preflight_failed', error);",
    replace: 'draft.tick = { ...draft.tick, phase: "listing" }; if (error !== "") return;',
  },
  {
    lines: ['R-16.3-a', 'R-8.5-c', 'R-7.3-g', 'R-10.6-c', 'R-17.4-l'],
    file: 'src/scheduler/phases/tick.ts',
    find: '  stopOverdueRuns(draft);\n',
    replace: '',
  },
  {
    lines: ['R-8.1-a', 'R-16.1-a', 'R-2.1-a'],
    file: 'src/scheduler/phases/tick.ts',
    find: "draft.emit({ type: 'set_timer', key: TICK_TIMER, at: draft.now + wait });",
    replace: '',
  },
  {
    lines: ['R-8.1-b', 'R-5.3.2-b'],
    file: 'src/scheduler/phases/tick.ts',
    find: 'tick.again ? 0 : draft.settings.pollIntervalMs',
    replace: 'tick.again ? 0 : 30_000',
  },
  {
    lines: ['R-14.2-c', 'R-16.2-c'],
    file: 'src/scheduler/phases/tick.ts',
    find: "draft.publish('tracker_poll_failed', failure.message);",
    replace: '',
  },
  {
    lines: ['R-11.4-c'],
    file: 'src/scheduler/phases/tick.ts',
    find: 'retryAfterMs: failure.retryAfterMs,',
    replace: 'retryAfterMs: null,',
  },
  {
    lines: ['R-16.3-b', 'R-17.4-g'],
    file: 'src/scheduler/phases/tick.ts',
    find: 'if (ids.length > 0) requestRefresh',
    replace: 'if (ids.length >= 0) requestRefresh',
  },
  // Reconciliation
  {
    lines: ['R-8.5-f', 'R-17.4-f', 'R-2.1-d', 'R-8.5-h', 'R-17.4-e'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: '  stopRun(draft, run, reason);\n}',
    replace: '}',
  },
  {
    lines: ['R-16.3-e'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: "stopRun(draft, run, { kind: 'missing' });",
    replace: '',
  },
  {
    lines: ['R-8.5-g', 'R-17.4-d', 'R-16.3-d'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: 'const updated = withIssue(run, outcome.issue, draft.settings);',
    replace: 'const updated = run;',
  },
  {
    lines: ['R-8.5-j', 'R-14.2-d', 'R-11.1-m'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: "if (outcome.kind === 'unknown') return;",
    replace: "if (outcome.kind === 'unknown') outcome = { kind: 'absent' };",
  },
  {
    lines: ['R-8.5-b'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: 'silenceOf(run, draft.now)',
    replace: 'draft.now - run.startedAt',
  },
  {
    lines: ['R-8.5-d'],
    file: 'src/scheduler/phases/reconcile.ts',
    find: 'if (stallTimeoutMs > 0 && silentMs > stallTimeoutMs)',
    replace: 'if (silentMs > stallTimeoutMs)',
  },
  {
    lines: ['R-8.6-a', 'R-7.4-e', 'R-18.1-p'],
    file: 'src/scheduler/phases/startup.ts',
    find: "draft.emit({ type: 'remove_workspace', issueId, identifier: outcome.issue.identifier });",
    replace: '',
  },
  {
    lines: ['R-8.4-k'],
    file: 'src/scheduler/phases/cleanup.ts',
    find: "if (standingOf(outcome.issue.state, draft.settings) === 'terminal') {",
    replace: 'if (outcome.kind === "current") {',
  },
  // Ends and retries
  {
    lines: ['R-8.4-c', 'R-16.6-b', 'R-7.3-b', 'R-17.4-h', 'R-18.1-m'],
    file: 'src/scheduler/rules/backoff.ts',
    find: 'CONTINUATION_DELAY_MS = 1_000',
    replace: 'CONTINUATION_DELAY_MS = 2_000',
  },
  {
    lines: ['R-8.4-d', 'R-17.4-i', 'R-18.1-n'],
    file: 'src/scheduler/rules/backoff.ts',
    find: 'FAILURE_BASE_MS * 2 ** exponent',
    replace: 'FAILURE_BASE_MS',
  },
  {
    lines: ['R-17.4-j', 'R-5.3.5-c'],
    file: 'src/scheduler/rules/backoff.ts',
    find: 'return Math.min(FAILURE_BASE_MS * 2 ** exponent, capMs);',
    replace: 'return FAILURE_BASE_MS * 2 ** exponent;',
  },
  {
    lines: ['R-8.4-b', 'R-4.1.7-a', 'R-17.4-k'],
    file: 'src/scheduler/phases/claims.ts',
    find: "draft.emit({ type: 'set_timer', key: retryTimerKey(issue.id), at: plan.dueAt });",
    replace: '',
  },
  {
    lines: ['R-7.1-b'],
    file: 'src/scheduler/phases/claims.ts',
    find: "const claim: BlockedClaim = { phase: 'blocked', issue, blockedAt: draft.now, ...rest };\n  draft.claims.set(issue.id, claim);",
    replace:
      "const claim: BlockedClaim = { phase: 'blocked', issue, blockedAt: draft.now, ...rest };\n  draft.claims.delete(issue.id);",
  },
  {
    lines: ['R-8.4-f', 'R-16.6-g', 'R-7.1-c'],
    file: 'src/scheduler/phases/dispatch.ts',
    find: "releaseClaim(draft, claim.issue, false, 'the issue is no longer in the tracker');",
    replace: '',
  },
  {
    lines: ['R-8.4-g'],
    file: 'src/scheduler/phases/dispatch.ts',
    find: "if (standing === 'terminal') beginCleanup(draft, outcome.issue);",
    replace: '',
  },
  {
    lines: ['R-8.4-j', 'R-16.6-h'],
    file: 'src/scheduler/phases/dispatch.ts',
    find: "releaseClaim(draft, outcome.issue, standing !== 'active', why);",
    replace: '',
  },
  {
    lines: ['R-16.6-f'],
    file: 'src/scheduler/phases/dispatch.ts',
    find: 'error: `retry refresh failed: ${outcome.reason}`,',
    replace: 'attempt: claim.retry.attempt + 1,',
  },
  {
    lines: ['R-12.3-a', 'R-5.4-e'],
    file: 'src/scheduler/core/live-run.ts',
    find: 'return record.runs === 0 ? { attempt: null, retryKind: null }',
    replace: 'return record.runs === 0 ? { attempt: 1, retryKind: null }',
  },
  {
    lines: ['R-16.2-b'],
    file: 'src/scheduler/core/live-run.ts',
    find: "{ attempt: 1, retryKind: 'continuation' };",
    replace: '{ attempt: null, retryKind: null };',
  },
  {
    lines: ['R-14.3-a', 'R-2.1-g'],
    file: 'src/scheduler/phases/startup.ts',
    find: 'draft.claims.set(record.issueId, claim);',
    replace: '',
  },
  // Turns
  {
    lines: ['R-7.1-f', 'R-16.5-f'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: "requestRefresh(draft, [run.issue.id], { kind: 'turn', runId, turn });",
    replace: "draft.emit({ type: 'answer_turn', runId, decision: { kind: 'finish', why: 'turn_limit' } });",
  },
  {
    lines: ['R-16.5-g'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: "answerTurn(draft, run, { kind: 'finish', why: 'missing' }, null);",
    replace: "answerTurn(draft, run, { kind: 'continue', state: 'Todo' }, null);",
  },
  {
    lines: ['R-16.5-h'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: 'const reason = known ? whyStop(draft, run.issue) : null;',
    replace: 'const reason = known ? null : whyStop(draft, run.issue);',
  },
  {
    lines: ['R-16.5-i', 'R-5.3.5-b', 'R-7.1-g'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: 'if (turn >= run.maxTurns)',
    replace: 'if (turn >= run.maxTurns + 99)',
  },
  // Counters and rows
  {
    lines: ['R-4.1.6-b', 'R-13.5-d', 'R-13.5-f', 'R-17.6-d'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: 'addUsage(draft.totals.usage, subtractUsage(usage, run.usage))',
    replace: 'addUsage(draft.totals.usage, usage)',
  },
  {
    lines: ['R-13.5-i', 'R-13.7.2-e'],
    file: 'src/orchestrator/runs/live-activity.ts',
    find: 'this.#rateLimits = newestLimits({ ...this.#rateLimits, ...event.rateLimits });',
    replace: '',
  },
  {
    lines: ['R-4.1.6-c', 'R-13.3-b'],
    file: 'src/scheduler/phases/run-progress.ts',
    find: 'turnsStarted: run.turnsStarted + 1',
    replace: 'turnsStarted: run.turnsStarted',
  },
  {
    lines: ['R-4.2-h', 'R-10.2-k'],
    file: 'src/orchestrator/snapshot/rows.ts',
    find: '`${sessionId}-${turnId}`',
    replace: 'sessionId',
  },
  {
    lines: ['R-13.7.2-c'],
    file: 'src/orchestrator/snapshot/rows.ts',
    find: 'due_at: utc(claim.dueAt),',
    replace: 'due_at: utc(now),',
  },
  // One run
  {
    lines: ['R-5.3.4-b', 'R-9.4-e', 'R-17.2-g'],
    file: 'src/run/execute-run.ts',
    find: "await ports.runHook('beforeRun', spec, workspace, signal, channel.emit);",
    replace: "await ports.runHook('beforeRun', spec, workspace, signal, channel.emit).catch(() => {});",
  },
  {
    lines: ['R-16.5-j', 'R-5.3.4-c'],
    file: 'src/run/execute-run.ts',
    find: "await ports.runHook('afterRun', spec, workspace, patience.signal, channel.emit);",
    replace: '',
  },
  {
    lines: ['R-9.4-d', 'R-5.3.4-a'],
    file: 'src/run/execute-run.ts',
    find: "await ports.runHook('afterCreate', spec, workspace, signal, channel.emit);",
    replace: "await ports.runHook('afterCreate', spec, workspace, signal, channel.emit).catch(() => {});",
  },
  {
    lines: ['R-9.4-f', 'R-17.2-h'],
    file: 'src/run/execute-run.ts',
    find: "logger.warn('after_run hook failed', { error: messageOf(error) });",
    replace: 'throw error;',
  },
  {
    lines: ['R-9.5-a', 'R-17.2-j'],
    file: 'src/run/execute-run.ts',
    find: '  await ports.assertWorkspace(spec, workspace);\n',
    replace: '',
  },
  {
    lines: ['R-10.2-g', 'R-7.1-i'],
    file: 'src/run/run-turns.ts',
    find: 'return continuationPrompt({ issue, turn: turn + 1, maxTurns, delimited: settings.prompt.delimit });',
    replace: "return 'PROMPT';",
  },
  // Workspaces' names
  {
    lines: ['R-4.2-d', 'R-9.5-c'],
    file: 'src/workspaces/files/workspace-key.ts',
    find: "identifier.replace(/[^A-Za-z0-9._-]/gu, '_')",
    replace: 'identifier',
  },
  {
    lines: ['R-4.2-e', 'R-17.2-k', 'R-18.1-g'],
    file: 'src/workspaces/files/workspace-key.ts',
    find: 'return cleaned === identifier ? identifier : withSuffix(cleaned, identifier);',
    replace: 'return cleaned;',
  },
  {
    lines: ['R-4.2-f'],
    file: 'src/workspaces/files/workspace-key.ts',
    find: 'return cleaned === identifier ? identifier : withSuffix(cleaned, identifier);',
    replace: 'return withSuffix(cleaned, identifier);',
  },
  // The workflow file and its prompt
  {
    lines: ['R-5.2-c'],
    file: 'src/config/read/front-matter.ts',
    find: "if (!FENCE.test(lines[0] ?? '')) return { frontMatter: null, ...trimBody(lines, 1) };",
    replace: "if (!FENCE.test(lines[0] ?? '')) return { frontMatter: null, body: '', bodyLine: 1 };",
  },
  {
    lines: ['R-5.2-b', 'R-5.2-e', 'R-3.1-a', 'R-4.1.2-a'],
    file: 'src/config/read/front-matter.ts',
    find: "return { body: lines.join('\\n').trim(),",
    replace: "return { body: lines.join('\\n'),",
  },
  {
    lines: ['R-5.4-a', 'R-5.4-b', 'R-12.2-a', 'R-17.1-p'],
    file: 'src/prompt/engine.ts',
    find: 'strictVariables: true,',
    replace: 'strictVariables: false,',
  },
  {
    lines: ['R-5.4-c', 'R-12.2-b'],
    file: 'src/prompt/engine.ts',
    find: 'strictFilters: true,',
    replace: 'strictFilters: false,',
  },
  {
    lines: ['R-5.4-f'],
    file: 'src/prompt/render.ts',
    find: 'blank ? DEFAULT_TEMPLATE : input.template',
    replace: 'input.template',
  },
  {
    lines: ['R-12.2-d'],
    file: 'src/prompt/variables.ts',
    find: 'labels: [...issue.labels],',
    replace: 'labels: [],',
  },
  {
    lines: ['R-5.4-d', 'R-12.1-a', 'R-12.3-b'],
    file: 'src/prompt/variables.ts',
    find: '    attempt,\n    retry_kind: retryKind,',
    replace: '    attempt: 9,\n    retry_kind: null,',
  },
  // Trackers' records
  {
    lines: ['R-11.3-c', 'R-11.3-g'],
    file: 'src/trackers/fields.ts',
    find: 'value.trim().toLowerCase()',
    replace: 'value',
  },
  {
    lines: ['R-11.3-d'],
    file: 'src/trackers/fields.ts',
    find: "typeof value === 'number' && Number.isSafeInteger(value) ? value : null",
    replace: 'Number(value)',
  },
  {
    lines: ['R-11.3-f'],
    file: 'src/trackers/fields.ts',
    find: 'if (match === null) return null;',
    replace: 'if (match === null) return text;',
  },
  // Approvals, hooks, tools
  {
    lines: ['R-1-a'],
    file: 'src/runners/codex/policies.ts',
    find: "if (policy === 'never' || policy === 'on-failure') return true;",
    replace: "if (policy === 'never' || policy === 'on-request') return true;",
  },
  {
    lines: ['R-9.4-c'],
    file: 'src/workspaces/checkout/hooks.ts',
    find: "logger.warn('hook failed', { ...fields, reason: problem, output, truncated: result.truncated });",
    replace: '',
  },
  {
    lines: ['R-10.5-n', 'R-15.3-e'],
    file: 'src/process/children/environment.ts',
    find: 'denied.has(name.toUpperCase())) continue;',
    replace: 'denied.has("never")) continue;',
  },
];
