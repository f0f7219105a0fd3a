import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxConfig } from '../../config/config.ts';
import { AppError } from '../../errors/app-error.ts';
import { isInside } from '../../process/inside-folder.ts';
import type { Visibility } from './plan.ts';

/** Host secrets that a read-only root would still show. */
const HIDDEN = [
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssh', '/boot'],
  ...['/srv', '/mnt', '/media', '/var/lib', '/var/log', '/var/spool', '/var/backups'],
];

export interface FirejailLaunch {
  readonly args: readonly string[];
  dispose(): Promise<void>;
}

/** Arguments of `firejail` up to the program. An allow-list of addresses is a filter file that lives as long as the run. */
export async function firejailLaunch(seen: Visibility, config: SandboxConfig): Promise<FirejailLaunch> {
  const needed = [...seen.writable, ...seen.readOnly];
  const args = ['--quiet', '--noprofile', '--deterministic-exit-code', '--deterministic-shutdown'];
  args.push('--caps.drop=all', '--nonewprivs', '--private-dev', '--ipc-namespace', '--read-only=/');
  if (seen.home !== null && !needed.some((path) => isInside(path, seen.home ?? ''))) args.push('--private');
  // A listed path hides its neighbours; /tmp and the home show nothing else.
  for (const path of needed) args.push(`--whitelist=${path}`);
  for (const path of HIDDEN.filter((hidden) => !needed.some((used) => isInside(used, hidden)))) {
    args.push(`--blacklist=${path}`);
  }
  for (const path of seen.writable) args.push(`--read-write=${path}`);
  for (const path of seen.readOnly) args.push(`--read-only=${path}`);
  const network = await networkArgs(config);
  return { args: [...args, ...network.args, '--'], dispose: network.dispose };
}

async function networkArgs(config: SandboxConfig): Promise<FirejailLaunch> {
  const dispose = async (): Promise<void> => {};
  if (config.network === 'normal') return { args: [], dispose };
  if (config.network === 'none') return { args: ['--net=none'], dispose };
  requireFilter();
  const folder = await mkdtemp(join(tmpdir(), 'aiops-netfilter-'));
  const file = join(folder, 'filter');
  await writeFile(file, filterText(config.networkAllowlistCidrs), { mode: 0o600 });
  return {
    args: [`--net=${config.networkInterface ?? ''}`, `--netfilter=${file}`],
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Where firejail looks for the program that loads its filter. Without it firejail starts unfiltered and says nothing. */
const FILTER_LOADERS = ['/sbin/iptables-restore', '/usr/sbin/iptables-restore'];

function requireFilter(): void {
  if (FILTER_LOADERS.some((path) => existsSync(path))) return;
  throw new AppError('agent_failed', 'sandbox.network: allowlist needs iptables, which is not installed.', {
    hint: 'Install iptables, or set sandbox.network to none or normal in WORKFLOW.md.',
  });
}

/** Everything is dropped that does not go to a listed range, or come back from it. */
export function filterText(cidrs: readonly string[]): string {
  return [
    '*filter',
    ':INPUT DROP [0:0]',
    ':FORWARD DROP [0:0]',
    ':OUTPUT DROP [0:0]',
    '-A INPUT -i lo -j ACCEPT',
    '-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT',
    '-A OUTPUT -o lo -j ACCEPT',
    ...cidrs.map((cidr) => `-A OUTPUT -d ${cidr.trim()} -j ACCEPT`),
    'COMMIT',
    '',
  ].join('\n');
}
