/** What of the app-server's protocol this worker speaks; everything else of its schema is left out. */
const REQUESTS = {
  initialize: 'InitializeResponse',
  'thread/start': 'ThreadStartResponse',
  'thread/resume': 'ThreadResumeResponse',
  'thread/name/set': 'ThreadSetNameResponse',
  'thread/turns/list': 'ThreadTurnsListResponse',
  'thread/backgroundTerminals/clean': 'ThreadBackgroundTerminalsCleanResponse',
  'turn/start': 'TurnStartResponse',
  'turn/steer': 'TurnSteerResponse',
  'turn/interrupt': 'TurnInterruptResponse',
};

const SERVER_REQUESTS = {
  'item/commandExecution/requestApproval': 'CommandExecutionRequestApprovalResponse',
  'item/fileChange/requestApproval': 'FileChangeRequestApprovalResponse',
  'item/permissions/requestApproval': 'PermissionsRequestApprovalResponse',
  'item/tool/call': 'DynamicToolCallResponse',
  'item/tool/requestUserInput': 'ToolRequestUserInputResponse',
  'mcpServer/elicitation/request': 'McpServerElicitationRequestResponse',
  'currentTime/read': 'CurrentTimeReadResponse',
  execCommandApproval: 'ExecCommandApprovalResponse',
  applyPatchApproval: 'ApplyPatchApprovalResponse',
};

const NOTIFICATIONS = [
  'error',
  'warning',
  'configWarning',
  'deprecationNotice',
  'thread/started',
  'thread/status/changed',
  'thread/tokenUsage/updated',
  'account/rateLimits/updated',
  'model/rerouted',
  'turn/started',
  'turn/completed',
  'turn/plan/updated',
  'item/started',
  'item/completed',
  'item/agentMessage/delta',
];

/** Fields of params that are never sent and drag half of the schema in. */
const UNUSED_FIELDS = { ThreadResumeParams: ['history'], TurnStartParams: ['toolOutput', 'environments'] };

/** The part of a generated schema that matters here, with every definition it needs, sorted and without prose. */
export function extractSchema(bundle, version) {
  const flat = flatten(bundle.definitions);
  const kept = {};
  const keep = (name) => {
    if (name in kept || name === undefined) return;
    if (!(name in flat)) throw new Error(`the schema has no definition ${name}`);
    kept[name] = strip(flat[name], UNUSED_FIELDS[name] ?? []);
    for (const inner of referencesIn(kept[name])) keep(inner);
  };
  const messages = (table, union) =>
    Object.fromEntries(
      Object.entries(table).map(([method, result]) => {
        const params = paramsOf(flat[union], method);
        keep(params);
        keep(result);
        return [method, { params, result }];
      }),
    );
  const clientRequests = messages(REQUESTS, 'ClientRequest');
  const serverRequests = messages(SERVER_REQUESTS, 'ServerRequest');
  const notifications = {};
  for (const method of NOTIFICATIONS) {
    notifications[method] = paramsOf(flat.ServerNotification, method);
    keep(notifications[method]);
  }
  const definitions = Object.fromEntries(
    Object.keys(kept)
      .sort()
      .map((name) => [name, kept[name]]),
  );
  return { version, clientRequests, serverRequests, notifications, definitions };
}

/** Definitions of all versions of the protocol in one table; where two share a name, the newer wins. */
function flatten({ v2, ...older }) {
  return { ...older, ...v2 };
}

function paramsOf(union, method) {
  const found = union.oneOf.find((variant) => variant.properties.method.enum[0] === method);
  if (found === undefined) throw new Error(`the schema has no method ${method}`);
  return nameOf(found.properties.params.$ref);
}

function nameOf(reference) {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function* referencesIn(value) {
  if (typeof value !== 'object' || value === null) return;
  if (typeof value.$ref === 'string') yield nameOf(value.$ref);
  for (const inner of Object.values(value)) yield* referencesIn(inner);
}

const PROSE = new Set(['description', 'title', '$schema', 'default', 'format']);

function strip(value, unusedFields, inProperties = false) {
  if (Array.isArray(value)) return value.map((inner) => strip(inner, []));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) =>
    inProperties ? !unusedFields.includes(key) : !PROSE.has(key),
  );
  return Object.fromEntries(
    entries.map(([key, inner]) => {
      if (key === '$ref' && typeof inner === 'string') return [key, `#/definitions/${nameOf(inner)}`];
      return [key, strip(inner, unusedFields, key === 'properties' && !inProperties)];
    }),
  );
}
