import type { TrustRules } from '../../domain/trust.ts';
import type { Logger } from '../../observability/logger.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { createToolSet } from '../../tools/tool-kit.ts';
import { issueTools } from '../issue-tools/issue-tools.ts';
import type { MoveRule } from '../issue-tools/move-rule.ts';
import type { LinearClient } from './client.ts';
import type { MutationPolicy } from './guard/judge-mutation.ts';
import { createGraphqlTool } from './tools/graphql-tool.ts';
import { ownLinearIssue } from './tools/own-issue.ts';
import { createWorkpadTool } from './tools/workpad.ts';

export interface LinearToolsOptions {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly rule: MoveRule;
  readonly policy: MutationPolicy;
  readonly trust: TrustRules | null;
  readonly secretEnvironmentNames: readonly string[];
  readonly logger: Logger;
}

export function createLinearTools(options: LinearToolsOptions): RunTools {
  const { client } = options;
  return createToolSet({
    tools: [
      ...issueTools({ ...options, own: ownLinearIssue(options) }),
      createGraphqlTool(options),
      createWorkpadTool(client),
    ],
    secretEnvironmentNames: options.secretEnvironmentNames,
    redact: (text) => client.redact(text),
  });
}
