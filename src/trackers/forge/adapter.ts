import type { Secret } from '../../config/resolve/secret.ts';
import type { Repository } from '../../domain/repository.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { ApiConnection, ApiHttp } from '../../http/request/api-http.ts';
import { createToolSet, type Tool } from '../../tools/tool-kit.ts';
import { issueTools } from '../issue-tools/issue-tools.ts';
import type { MoveRule } from '../issue-tools/move-rule.ts';
import type { Tracker } from '../tracker.ts';
import type { ForgeReads } from './reading/forge-reads.ts';
import { createForgeReader } from './reading/reader.ts';
import type { LabelStates } from './states/label-states.ts';
import type { ForgeActions } from './tools/actions.ts';
import { type ApiToolOptions, apiTool } from './tools/api-tool.ts';
import { ownForgeIssue } from './tools/own-issue.ts';

/** What every tracker of issues in a repository is made with. */
export interface ForgeTrackerOptions extends ApiConnection {
  /** Address of the API, as the adapter describes it. */
  readonly endpoint: string;
  readonly token: Secret;
  readonly repository: Repository;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly inactiveStates: readonly string[];
  /** A login, or `me`; null means anybody. */
  readonly assignee?: string | null;
  /** Whose texts may reach an agent; null, the default, means everybody's. */
  readonly trust?: TrustRules | null;
  /** Pages per listing; 0 means the adapter's default. */
  readonly maxPages?: number;
  /** Whether an agent may move its issue into a terminal state. Default true. */
  readonly allowTerminal?: boolean;
  /** What an identifier starts with. Default `#`. */
  readonly identifierPrefix?: string;
  readonly secretEnvironmentNames?: readonly string[];
}

/** What one forge brings. */
export interface ForgeParts {
  readonly kind: string;
  readonly http: ApiHttp;
  readonly states: LabelStates;
  readonly reads: ForgeReads;
  readonly actions: ForgeActions;
  /** Where people see pull requests; empty when that may be any host. */
  readonly webOrigins: readonly string[];
  /** The variable that usually holds the credential. */
  readonly secretVariable: string;
  /** The raw API as a tool. */
  readonly api: Pick<ApiToolOptions, 'name' | 'description' | 'rules' | 'prefixes'>;
  moreTools?(rule: MoveRule): readonly Tool[];
}

/** The issues of one repository as a tracker. */
export function createForgeTracker(options: ForgeTrackerOptions, parts: ForgeParts): Tracker {
  const { trust = null, allowTerminal = true, identifierPrefix = '#', assignee = null } = options;
  const { http, states, actions } = parts;
  const { active, terminal, inactive } = states;
  const rule = { active, terminal, inactive, allowTerminal };
  return {
    kind: parts.kind,
    ...createForgeReader({ ...options, ...parts, identifierPrefix, assignee, trust }),
    tools: createToolSet({
      tools: [
        ...(parts.moreTools?.(rule) ?? []),
        apiTool({ ...parts.api, http, actions, states, trust }),
        ...issueTools({ own: ownForgeIssue(parts), rule, trust }),
      ],
      secretEnvironmentNames: options.secretEnvironmentNames ?? [parts.secretVariable],
      redact: http.redact,
    }),
    changes: null,
    budget: options.governor,
  };
}
