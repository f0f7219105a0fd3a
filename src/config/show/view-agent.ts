import type { AgentConfig, AgentProfile, BudgetLimits, Config } from '../config.ts';
import { formatDuration } from '../read/duration.ts';
import { BLOCK_OF, type BlockName } from '../schema/agent-kinds.ts';

export function agentView(agent: AgentConfig): Record<string, unknown> {
  const limits = (budget: BudgetLimits) => ({
    turns: budget.turns,
    tokens: budget.tokens,
    usd: budget.usd,
    runtime_seconds: budget.runtimeSeconds,
  });
  return {
    default: agent.default,
    max_concurrent_agents: agent.maxConcurrentAgents,
    max_concurrent_agents_by_state: agent.maxConcurrentAgentsByState,
    max_turns: agent.maxTurns,
    max_continuation_turns: agent.budgets.issue.turns,
    max_tokens_per_claim: agent.maxTokensPerClaim,
    max_runtime_seconds_per_claim: agent.maxRuntimeSecondsPerClaim,
    max_retry_backoff_ms: agent.maxRetryBackoffMs,
    timeout: formatDuration(agent.timeoutMs),
    no_progress_runs: agent.noProgressRuns,
    budgets: {
      run: limits(agent.budgets.run),
      issue: limits(agent.budgets.issue),
      day: limits(agent.budgets.day),
      worker: limits(agent.budgets.worker),
    },
    profiles: Object.fromEntries(agent.profiles.map((profile) => [profile.name, profileView(profile)])),
  };
}

/** With every setting that holds in it, wherever that is written. */
function profileView(profile: AgentProfile): Record<string, unknown> {
  const block = BLOCK_OF[profile.runner];
  return {
    runner: profile.runner,
    labels: profile.labels,
    states: profile.states,
    max_turns: profile.maxTurns,
    timeout: formatDuration(profile.timeoutMs),
    max_concurrent_agents: profile.maxConcurrentAgents,
    [block]: agentProgramsView(profile)[block],
  };
}

export function agentProgramsView({
  codex,
  claude,
  acp,
}: Pick<Config, BlockName>): Record<BlockName, Record<string, unknown>> {
  return {
    codex: {
      command: codex.command,
      env_passthrough: codex.envPassthrough,
      approval_policy: codex.approvalPolicy,
      thread_sandbox: codex.threadSandbox,
      turn_sandbox_policy: codex.turnSandboxPolicy,
      turn_timeout_ms: codex.turnTimeoutMs,
      read_timeout_ms: codex.readTimeoutMs,
      stall_timeout_ms: codex.stallTimeoutMs,
      prices: Object.fromEntries(
        Object.entries(codex.prices).map(([model, { input, cachedInput, output }]) => [
          model,
          { input, cached_input: cachedInput, output },
        ]),
      ),
      linear_graphql: {
        allow_mutations: codex.linearGraphql.allowMutations,
        allowed_mutations: codex.linearGraphql.allowedMutations,
      },
    },
    claude: {
      command: claude.command,
      driver: claude.driver,
      env_passthrough: claude.envPassthrough,
      model: claude.model,
      permission_mode: claude.permissionMode,
      allowed_tools: claude.allowedTools,
      disallowed_tools: claude.disallowedTools,
      max_turns: claude.maxTurns,
      max_budget_usd: claude.maxBudgetUsd,
      turn_timeout_ms: claude.turnTimeoutMs,
      stall_timeout_ms: claude.stallTimeoutMs,
    },
    acp: {
      command: acp.command,
      env_passthrough: acp.envPassthrough,
      permissions: acp.permissions,
      state_folders: acp.stateFolders,
      turn_timeout_ms: acp.turnTimeoutMs,
      stall_timeout_ms: acp.stallTimeoutMs,
    },
  };
}
