import { basename } from 'node:path';
import type { AgentEnvironment, AgentLook } from '../inspection.ts';
import { codexProgram } from './command.ts';
import { CODEX_VERSION } from './protocol.ts';

/** The version in `name/1.2.3 (…)`; null when there is none. */
export function versionInUserAgent(userAgent: string): string | null {
  return /\/(\d+\.\d+\.\d+(?:-[\w.]+)?)/.exec(userAgent)?.[1] ?? null;
}

export interface CodexVersion {
  /** Null when it cannot be told. */
  readonly version: string | null;
  /** What was found instead of a version. */
  readonly reason: string;
  /** The version whose protocol is pinned here. */
  readonly tested: string;
}

/** They fetch the program when it is started, which only to look must not do. */
const FETCHERS = ['npx', 'bunx', 'pnpx'];

/** Even to tell its version Codex makes folders in its home, unless it has none. */
const NO_HOME = '/nonexistent/codex-home';

/** Which Codex `codex.command` starts, for `aiops doctor`. */
export async function readCodexVersion(
  command: string,
  env: AgentEnvironment,
  runProgram: AgentLook['runProgram'],
): Promise<CodexVersion> {
  const known = (version: string): CodexVersion => ({ version, reason: '', tested: CODEX_VERSION });
  const unknown = (reason: string): CodexVersion => ({ version: null, reason, tested: CODEX_VERSION });
  const direct = codexProgram(command);
  const program = direct.command === 'bash' ? 'codex' : direct.command;
  if (FETCHERS.includes(basename(program))) {
    const written = /@openai\/codex@(\d+\.\d+\.\d+\S*)/.exec(command)?.[1];
    return written === undefined ? unknown(`${program} fetches it when a run starts`) : known(written);
  }
  const result = await runProgram(program, ['--version'], { ...env, CODEX_HOME: NO_HOME });
  if (result.outcome === 'timed_out') return unknown(`\`${program} --version\` did not end`);
  if (result.outcome !== 'exited' || result.code !== 0) {
    return unknown(
      result.spawnError ?? `\`${program} --version\` failed: ${result.stderr.trim().slice(0, 300)}`,
    );
  }
  const version = /codex\S*\s+v?(\d+\.\d+\.\d+(?:-[\w.]+)?)/i.exec(result.stdout)?.[1];
  return version === undefined ? unknown(`\`${program} --version\` names no Codex`) : known(version);
}
