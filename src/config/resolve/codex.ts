import { nearest } from '../../domain/nearest.ts';
import type { AcpConfig, ClaudeConfig, CodexConfig } from '../config.ts';
import { isMap } from '../read/align.ts';
import { quote } from '../read/problem.ts';
import { type AgentBlock, topBlock } from './agent-block.ts';
import type { Resolution } from './context.ts';
import { checkTurnSandboxPolicy } from './turn-sandbox-policy.ts';

const SANDBOXES = ['read-only', 'workspace-write', 'danger-full-access'];

export function resolveCodex(
  at: Resolution,
  block: AgentBlock<'codex'> = topBlock(at, 'codex'),
): CodexConfig {
  const { written: codex, keyOf } = block;
  const command = resolveCommand(at, block, codex.command);
  if (runsCodexExec(command)) {
    at.problem(
      keyOf('command'),
      `${keyOf('command')} starts \`codex exec\`, which cannot be driven turn by turn`,
      'Use `codex app-server`.',
    );
  }
  const sandbox = keyOf('thread_sandbox');
  if (at.has(sandbox) && !SANDBOXES.includes(codex.thread_sandbox)) {
    const meant = nearest(codex.thread_sandbox, SANDBOXES);
    const hint = meant === null ? `Known: ${SANDBOXES.join(', ')}.` : `Did you mean ${meant}?`;
    at.warn(sandbox, `${sandbox} ${quote(codex.thread_sandbox)} is passed on as it is`, hint);
  }
  if (at.dialect === 'go' && codex.turn_sandbox_policy !== undefined) {
    checkTurnSandboxPolicy(at, keyOf('turn_sandbox_policy'), codex.turn_sandbox_policy);
  }
  return {
    command,
    envPassthrough: codex.env_passthrough,
    approvalPolicy: resolveApprovalPolicy(at, block),
    threadSandbox: codex.thread_sandbox,
    turnSandboxPolicy: codex.turn_sandbox_policy ?? null,
    turnTimeoutMs: codex.turn_timeout_ms,
    readTimeoutMs: codex.read_timeout_ms,
    stallTimeoutMs: resolveStallTimeout(at, block),
    prices: resolvePrices(at, block),
    linearGraphql: resolveLinearGraphql(at),
  };
}

export function resolveClaude(
  at: Resolution,
  block: AgentBlock<'claude'> = topBlock(at, 'claude'),
): ClaudeConfig {
  const { written: claude } = block;
  return {
    command: resolveCommand(at, block, claude.command),
    driver: claude.driver,
    sdkFolders: [at.directory],
    envPassthrough: claude.env_passthrough,
    model: claude.model ?? null,
    permissionMode: claude.permission_mode,
    allowedTools: claude.allowed_tools,
    disallowedTools: claude.disallowed_tools,
    maxTurns: claude.max_turns ?? null,
    maxBudgetUsd: claude.max_budget_usd ?? null,
    turnTimeoutMs: claude.turn_timeout_ms,
    stallTimeoutMs: resolveStallTimeout(at, block),
  };
}

function resolveStallTimeout(at: Resolution, { written, keyOf }: AgentBlock<'codex' | 'claude'>): number {
  if (written.stall_timeout_ms < 0) {
    const key = keyOf('stall_timeout_ms');
    at.warn(key, `${key} is below 0, which means off`, 'Write 0.');
  }
  return Math.max(0, written.stall_timeout_ms);
}

function resolvePrices(at: Resolution, { written, keyOf }: AgentBlock<'codex'>): CodexConfig['prices'] {
  const isAmount = (value: unknown): value is number =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0;
  return Object.fromEntries(
    Object.entries(written.prices).flatMap(([model, price]) => {
      const { input, cached_input: cached = input, output } = isMap(price) ? price : {};
      if (isAmount(input) && isAmount(cached) && isAmount(output)) {
        return [[model, { input, cachedInput: cached, output }]];
      }
      const key = `${keyOf('prices')}.${model}`;
      at.problem(
        key,
        `${key} is not a price`,
        'Write input and output, and cached_input if it differs, as US dollars per million tokens.',
      );
      return [];
    }),
  );
}

export function resolveAcp(at: Resolution, block: AgentBlock<'acp'> = topBlock(at, 'acp')): AcpConfig {
  const { written: acp } = block;
  return {
    command: acp.command === undefined ? '' : resolveCommand(at, block, acp.command),
    envPassthrough: acp.env_passthrough,
    permissions: acp.permissions,
    stateFolders: acp.state_folders.flatMap((folder, index) => {
      return at.expandPath(`${block.keyOf('state_folders')}[${index}]`, folder) ?? [];
    }),
    turnTimeoutMs: acp.turn_timeout_ms,
    stallTimeoutMs: Math.max(0, acp.stall_timeout_ms),
  };
}

/** `chooser` is the key that makes the agent `acp`. */
export function checkAcpCommand(at: Resolution, chooser: string, { command }: AcpConfig): void {
  if (command !== '') return;
  at.problem(
    chooser,
    `${chooser} is acp but acp.command is missing`,
    'Write acp.command, such as `gemini --acp`.',
  );
}

function resolveCommand(
  at: Resolution,
  { keyOf }: Pick<AgentBlock<'acp'>, 'keyOf'>,
  written: string,
): string {
  return at.expand(keyOf('command'), written) ?? '';
}

/** True for `codex exec`, whatever path or options stand around the two words. */
export function runsCodexExec(command: string): boolean {
  return command.split(/[;&|\n]+/).some((part) => {
    const words = part
      .trim()
      .split(/\s+/)
      .map((word) => word.replace(/^["']|["']$/g, ''));
    const start = words.findIndex((word) => /(^|\/)codex$/.test(word));
    return (
      start !== -1 &&
      words.slice(start + 1).includes('exec') &&
      !words.slice(start + 1).includes('app-server')
    );
  });
}

/** Older Codex versions said what to reject; the present form says what to ask. The Go worker refused the old one. */
function resolveApprovalPolicy(at: Resolution, { written, keyOf }: AgentBlock<'codex'>): unknown {
  const policy = written.approval_policy;
  if (!isMap(policy) || !('reject' in policy)) return policy;
  const key = `${keyOf('approval_policy')}.reject`;
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

function resolveLinearGraphql(at: Resolution): CodexConfig['linearGraphql'] {
  const key = 'codex.linear_graphql.allowed_mutations';
  const { allow_mutations: written, allowed_mutations: allowedMutations } = at.written.codex.linear_graphql;
  // Symphony's agents have always moved and commented on their issue this way.
  const allowMutations = written ?? at.dialect === 'symphony';
  if (allowedMutations.length > 0 && !allowMutations) {
    at.problem(
      key,
      `${key} needs allow_mutations: true`,
      'Set codex.linear_graphql.allow_mutations, or remove the list.',
    );
  }
  allowedMutations.forEach((name, index) => {
    const place = `${key}[${index}]`;
    if (!/^[_A-Za-z]\w*$/.test(name)) {
      at.problem(
        place,
        `${place} ${quote(name)} is not a GraphQL name`,
        'Write a field name such as issueUpdate.',
      );
    } else if (allowedMutations.indexOf(name) !== index) {
      at.problem(place, `${place} repeats ${quote(name)}`, 'Remove the second one.');
    }
  });
  return { allowMutations, allowedMutations };
}
