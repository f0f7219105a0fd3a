import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import type { Issue } from '../../domain/issue.ts';
import { createForge } from '../../forges/registry.ts';
import { pullRequestTools } from '../../forges/tools/pull-request-tools.ts';
import type { Governors } from '../../http/budget/governors.ts';
import type { Logger } from '../../observability/logger.ts';
import { branchPushTool, type PushBranch } from '../../tools/branch-push.ts';
import { combineTools } from '../../tools/combine-tools.ts';
import type { RunTools } from '../../tools/run-tools.ts';
import { createToolSet } from '../../tools/tool-kit.ts';
import type { Tracker } from '../../trackers/tracker.ts';
import { secretNames } from './child-environments.ts';

export interface RunToolsDependencies {
  readonly push: PushBranch;
  readonly governors: Governors;
  readonly logger: Logger;
  redact(text: string): string;
}

/** All tools of a run: the tracker's, and those that carry its work to where others see it. */
export async function createRunTools(
  config: Config,
  tracker: Tracker,
  { push, governors, logger, redact }: RunToolsDependencies,
): Promise<RunTools> {
  const { repo, forge: forgeConfig } = config;
  if (repo === null) return tracker.tools;
  const forge = await createForge(forgeConfig, { logger, clock: systemClock, governors });
  const tools = [
    ...(repo.push === 'worker' ? [branchPushTool(push)] : []),
    ...(forge === null || forgeConfig.repository === null
      ? []
      : pullRequestTools({
          forge,
          defaultBranch: repo.defaultBranch,
          trust: config.tracker.trust,
          repository: forgeConfig.repository,
          numberOf: (issue) => numberOnForge(config, issue),
        })),
  ];
  const delivery = createToolSet({
    tools,
    secretEnvironmentNames: secretNames(config),
    redact: (text) => redact(forge?.redact(text) ?? text),
  });
  return combineTools([tracker.tools, delivery]);
}

/** A tracker of the forge's own kind reads the issues of the same repository. */
function numberOnForge({ tracker, forge }: Config, { id }: Issue): number | null {
  return tracker.kind === forge.kind && /^\d{1,10}$/.test(id) ? Number(id) : null;
}
