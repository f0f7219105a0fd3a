import type { ClaudeConfig } from '../../config/config.ts';
import { AppError, messageOf } from '../../errors/app-error.ts';
import type { Logger } from '../../observability/logger.ts';
import { isTextCommand } from './command.ts';
import { AGENT_SDK, findAgentSdk, INSTALL_AGENT_SDK } from './find-sdk.ts';
import { type AgentSdk, loadAgentSdk } from './sdk.ts';

export type Driver =
  | { readonly kind: 'text' }
  /** With the reason why it is not the SDK; null when the workflow wants it so. */
  | { readonly kind: 'command'; readonly reason: string | null }
  | { readonly kind: 'sdk'; readonly entry: string };

/** How these settings have Claude driven. Loads nothing; throws when they ask for what cannot be. */
export function chooseDriver({ command, driver, sdkFolders }: ClaudeConfig): Driver {
  if (isTextCommand(command)) {
    if (driver !== 'sdk') return { kind: 'text' };
    throw new AppError('agent_failed', 'claude.driver is sdk, but claude.command prints plain text.', {
      hint: 'Remove -p from claude.command in WORKFLOW.md, or set claude.driver: auto.',
    });
  }
  if (driver === 'command') return { kind: 'command', reason: null };
  const entry = findAgentSdk(sdkFolders);
  if (entry !== null) return { kind: 'sdk', entry };
  if (driver === 'auto') return { kind: 'command', reason: `${AGENT_SDK} is not installed` };
  throw new AppError('agent_not_found', `claude.driver is sdk, but ${AGENT_SDK} is not installed.`, {
    hint: `Run \`${INSTALL_AGENT_SDK}\` in the folder of WORKFLOW.md, or set claude.driver: auto.`,
  });
}

/** The SDK to drive Claude with; null when `claude.command` is spoken to directly, which the log gives the reason for. */
export async function loadDriver(
  driver: Exclude<Driver, { kind: 'text' }>,
  claude: ClaudeConfig,
  logger: Logger,
): Promise<AgentSdk | null> {
  if (driver.kind === 'command') {
    if (driver.reason !== null) {
      logger.info('claude.command is driven directly', { reason: driver.reason, install: INSTALL_AGENT_SDK });
    }
    return null;
  }
  try {
    return await loadAgentSdk(driver.entry);
  } catch (error) {
    const reason = `${AGENT_SDK} cannot be loaded: ${messageOf(error)}`;
    if (claude.driver === 'sdk') {
      const hint = `Run \`${INSTALL_AGENT_SDK}\` again, or set claude.driver: command.`;
      throw new AppError('agent_failed', reason, { hint, cause: error });
    }
    logger.warn('claude.command is driven directly', { reason, install: INSTALL_AGENT_SDK });
    return null;
  }
}
