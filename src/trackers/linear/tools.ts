import type { TrustRules } from '../../domain/trust.ts';
import type { Logger } from '../../observability/logger.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { createToolSet } from '../../tools/tool-kit.ts';
import type { LinearClient } from './client.ts';
import type { MutationPolicy } from './guard/judge-mutation.ts';
import { createGraphqlTool } from './tools/graphql-tool.ts';
import { createIssueTools } from './tools/issue-tools.ts';
import { createOwnIssueDesk } from './tools/own-issue.ts';
import { createWorkpadTool } from './tools/workpad.ts';

export interface LinearToolsOptions {
  readonly client: LinearClient;
  readonly projectSlug: string;
  readonly activeStates: readonly string[];
  readonly terminalStates: readonly string[];
  readonly policy: MutationPolicy;
  readonly trust: TrustRules | null;
  readonly secretEnvironmentNames: readonly string[];
  readonly logger: Logger;
}

export function createLinearTools(options: LinearToolsOptions): RunTools {
  const { client } = options;
  const desk = createOwnIssueDesk(options);
  return createToolSet({
    tools: [
      ...createIssueTools(client, desk, options.trust),
      createGraphqlTool({ ...options, desk }),
      createWorkpadTool(client, desk),
    ],
    secretEnvironmentNames: options.secretEnvironmentNames,
    redact: (text) => client.redact(text),
  });
}
