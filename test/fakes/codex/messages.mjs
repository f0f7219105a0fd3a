/** Whole messages of the pinned version; a scenario only fills in what it is about. */

const SANDBOX = {
  type: 'workspaceWrite',
  writableRoots: [],
  networkAccess: false,
  excludeTmpdirEnvVar: false,
  excludeSlashTmp: false,
};

export function thread(id, cwd) {
  return {
    id,
    sessionId: id,
    cliVersion: '0.166.0',
    createdAt: 1,
    updatedAt: 1,
    cwd,
    ephemeral: false,
    modelProvider: 'fake',
    preview: '',
    projectId: null,
    source: 'appServer',
    status: { type: 'idle' },
    turns: [],
  };
}

export function threadOpened(id, params) {
  return {
    thread: thread(id, params.cwd),
    model: 'fake-model',
    modelProvider: 'fake',
    cwd: params.cwd,
    approvalPolicy: params.approvalPolicy,
    approvalsReviewer: 'user',
    sandbox: SANDBOX,
  };
}

export function turn(id, status = 'inProgress', error = null) {
  return { id, items: [], status, error };
}

export function turnError(codexErrorInfo, message) {
  return { message, codexErrorInfo, additionalDetails: null };
}

export function commandItem(id, cwd, command, end = null) {
  return {
    type: 'commandExecution',
    id,
    command: `/bin/bash -lc '${command}'`,
    cwd,
    commandActions: [],
    status: end === null ? 'inProgress' : 'completed',
    exitCode: end?.exitCode ?? null,
    aggregatedOutput: end?.output ?? null,
    durationMs: end === null ? null : 12,
  };
}

export function messageItem(id, text) {
  return { type: 'agentMessage', id, text };
}

export function usage(total, last) {
  return { total: breakdown(total), last: breakdown(last), modelContextWindow: 258400 };
}

function breakdown(requests) {
  return {
    totalTokens: 1050 * requests,
    inputTokens: 1000 * requests,
    cachedInputTokens: 200 * requests,
    cacheWriteInputTokens: 0,
    outputTokens: 50 * requests,
    reasoningOutputTokens: 10 * requests,
  };
}
