import type { SessionInput } from '../runner.ts';
import type { Launch } from '../sandbox/launch.ts';
import type { Sandbox, SandboxPlace } from '../sandbox/sandbox.ts';
import { makeTemporaryFolder } from './agent-caches.ts';
import type { Program } from './program.ts';

/** What an agent needs besides its workspace. */
export type AgentNeeds = Omit<SandboxPlace, 'workspacePath' | 'borrowedFolders'>;

/** How an agent is started for a session, in the sandbox of the workflow where there is one. */
export async function launchOf(
  program: Program,
  { environment, workspacePath, borrowedFolders }: SessionInput,
  sandbox: Sandbox | null,
  needs: AgentNeeds,
): Promise<Launch> {
  await makeTemporaryFolder(environment, workspacePath);
  const plain: Launch = { ...program, env: environment };
  return (await sandbox?.wrap(plain, { ...needs, workspacePath, borrowedFolders })) ?? plain;
}
