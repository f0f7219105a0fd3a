import { z } from 'zod';
import { type AgentKind, optionsOf } from '../../config/kinds.ts';
import { isMap } from '../../config/read/is-map.ts';
import { quote } from '../../config/read/problem.ts';
import { readCommand, stallTimeout, turnTimeout } from '../../config/schema/agent-keys.ts';
import {
  type BlockSettings,
  block,
  filledText,
  optional,
  type Place,
  positive,
  text,
  withDefault,
} from '../../config/schema/key.ts';
import { passedVariables } from '../../config/schema/passed-variables.ts';
import { nearest } from '../../domain/nearest.ts';
import { runsCodexExec } from './settings/codex-exec.ts';
import { checkTurnSandboxPolicy } from './settings/turn-sandbox-policy.ts';

/** Nothing an agent asks for is granted by a prompt nobody answers. */
const DEFAULT_APPROVAL_POLICY = {
  granular: {
    sandbox_approval: false,
    rules: false,
    skill_approval: false,
    request_permissions: false,
    mcp_elicitations: false,
  },
};
const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'];

type AnyMap = Readonly<Record<string, unknown>>;
const anyMap = z.record(z.string(), z.unknown());

const codexBlock = block(
  {
    command: withDefault(
      filledText,
      'codex app-server',
      'Shell command that starts the app-server, run in the workspace. `$VAR` allowed as the whole value.',
      { read: readCodexCommand },
    ),
    env_passthrough: passedVariables(
      'Environment variables the agent gets besides the basic ones and those that `command` names as `$NAME`. Credentials of the worker are refused.',
    ),
    approval_policy: withDefault(
      z.union([text, anyMap]),
      DEFAULT_APPROVAL_POLICY,
      "Codex's approval policy, passed through: a name or a map.",
      { read: readApprovalPolicy },
    ),
    thread_sandbox: withDefault(
      text,
      'workspace-write',
      "Codex's sandbox mode, passed through: `read-only`, `workspace-write` or `danger-full-access`.",
      { read: readThreadSandbox },
    ),
    turn_sandbox_policy: optional(
      anyMap,
      "Codex's sandbox policy for each turn. In the Go dialect its fields are checked by type: " +
        '`dangerFullAccess`, `readOnly`, `externalSandbox` or `workspaceWrite`.',
      { defaultText: 'derived from `codex.thread_sandbox` and the workspace', read: readTurnSandboxPolicy },
    ),
    turn_timeout_ms: turnTimeout,
    read_timeout_ms: withDefault(positive, 5_000, 'Longest wait for an answer to a request at start-up.'),
    stall_timeout_ms: stallTimeout,
    prices: withDefault(
      anyMap,
      {},
      'US dollars per million tokens by model, for the estimate of costs: `input`, `cached_input` (default: as `input`) ' +
        'and `output`. A model without a price has no estimate.',
      { read: readPrices, show: showPrices },
    ),
  },
  'The Codex app-server.',
);

export type CodexSettings = BlockSettings<typeof codexBlock>;

/** US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cachedInput: number;
  readonly output: number;
}

export const codexAgent: AgentKind = {
  kind: 'codex-app-server',
  section: 'codex',
  block: codexBlock,
  defaultIn: 'symphony',
  signsIn: true,
  environment: ['CODEX_HOME'],
  cachesInWorkspace: true,
  opensFolders(options) {
    const { turnSandboxPolicy } = optionsOf<CodexSettings>({ options });
    const roots: unknown = turnSandboxPolicy?.['writableRoots'];
    const folders = Array.isArray(roots) ? roots.filter((root) => typeof root === 'string') : [];
    return folders.map((folder) => ({ key: 'codex.turn_sandbox_policy', folder }));
  },
  removedKeys: {
    'codex.profile': 'Put the profile into `codex.command`, as in `codex --profile NAME app-server`.',
  },
};

function readCodexCommand(written: string, place: Place): string {
  const command = readCommand(written, place);
  if (runsCodexExec(command))
    place.at.problem(
      place.key,
      `${place.key} starts \`codex exec\`, which cannot be driven turn by turn`,
      'Use `codex app-server`.',
    );
  return command;
}

function readThreadSandbox(written: string, { at, key }: Place): string {
  if (at.has(key) && !SANDBOXES.includes(written)) {
    const meant = nearest(written, SANDBOXES);
    const hint = meant === null ? `Known: ${SANDBOXES.join(', ')}.` : `Did you mean ${meant}?`;
    at.warn(key, `${key} ${quote(written)} is passed on as it is`, hint);
  }
  return written;
}

function readTurnSandboxPolicy(written: AnyMap | undefined, { at, key }: Place): AnyMap | null {
  if (at.dialect === 'go' && written !== undefined) checkTurnSandboxPolicy(at, key, written);
  return written ?? null;
}

/** Older Codex versions said what to reject; the present form says what to ask. The Go worker refused the old one. */
function readApprovalPolicy(policy: string | AnyMap, { at, key: block }: Place): unknown {
  if (!isMap(policy) || !('reject' in policy)) return policy;
  const key = `${block}.reject`;
  const hint = 'Write approval_policy: {granular: {…}}, where false refuses what reject: true refused.';
  if (at.dialect === 'go') {
    at.problem(key, `${key} is the form of an older Codex`, hint);
    return policy;
  }
  at.warn(key, `${key} is the form of an older Codex and is translated`, hint);
  const rejected = isMap(policy['reject']) ? policy['reject'] : {};
  const ask = (name: string) => rejected[name] === false;
  return {
    granular: {
      sandbox_approval: ask('sandbox_approval'),
      rules: ask('rules'),
      skill_approval: false,
      request_permissions: false,
      mcp_elicitations: ask('mcp_elicitations'),
    },
  };
}

function readPrices(written: AnyMap, { at, key: block }: Place): Readonly<Record<string, ModelPrice>> {
  const isAmount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0;
  return Object.fromEntries(
    Object.entries(written).flatMap(([model, price]) => {
      const { input, cached_input: cached = input, output } = isMap(price) ? price : {};
      if (isAmount(input) && isAmount(cached) && isAmount(output)) {
        return [[model, { input, cachedInput: cached, output }]];
      }
      const key = `${block}.${model}`;
      at.problem(
        key,
        `${key} is not a price`,
        'Write input and output, and cached_input if it differs, as US dollars per million tokens.',
      );
      return [];
    }),
  );
}

function showPrices(prices: unknown): unknown {
  return Object.fromEntries(
    Object.entries(prices as Readonly<Record<string, ModelPrice>>).map(
      ([model, { input, cachedInput, output }]) => [model, { input, cached_input: cachedInput, output }],
    ),
  );
}
