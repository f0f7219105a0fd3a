import { isIPv4 } from 'node:net';
import { z } from 'zod';
import { quote } from '../read/problem.ts';
import type { Resolution } from '../resolve/context.ts';
import { block, filledTexts, flag, optional, type Place, text, withDefault } from './key.ts';
import { passedVariables } from './passed-variables.ts';
import { showMasked } from './settings.ts';

export const sandboxBlock = block(
  {
    enabled: withDefault(
      flag,
      false,
      'Run agents of every kind, `mock` included, inside a sandbox. Needs a `backend` and an `env_allowlist`.',
    ),
    backend: withDefault(z.enum(['none', 'bubblewrap', 'firejail']), 'none', 'Which sandbox program.'),
    network: withDefault(
      z.enum(['none', 'allowlist', 'normal']),
      'none',
      'Network inside the sandbox. `allowlist` needs firejail, CIDRs and an interface; `normal` is the host network.',
    ),
    network_allowlist_cidrs: withDefault(
      filledTexts,
      [],
      'IPv4 ranges reachable with `network: allowlist`.',
      { read: readRanges },
    ),
    network_interface: optional(text, 'Host interface used with `network: allowlist`.', {
      defaultText: 'none',
    }),
    env_allowlist: passedVariables(
      'The only environment variables inside the sandbox. Credentials of the worker are refused.',
    ),
    credential_files: withDefault(
      filledTexts,
      [],
      'Files readable inside the sandbox, such as a login of the agent. `~` and `$VAR` allowed.',
      { read: readPaths, show: showMasked },
    ),
    writable_folders: withDefault(
      filledTexts,
      [],
      'Folders the agent may change besides its workspace, such as a cache, or with `repo.push: agent` a bare repository that it pushes to. ' +
        'They must exist, and hold nothing that the worker relies on. `~` and `$VAR` allowed.',
      { read: readPaths },
    ),
  },
  'Isolation of agent processes (Linux).',
);

/** Absolute; what cannot be expanded is reported and left out. */
export function readPaths(written: readonly string[], { at, key }: Place): readonly string[] {
  return written.flatMap((path, index) => at.expandPath(`${key}[${index}]`, path) ?? []);
}

function readRanges(written: readonly string[], { at, key: list }: Place): readonly string[] {
  written.forEach((range, index) => {
    const key = `${list}[${index}]`;
    if (!isIPv4Range(range))
      at.problem(
        key,
        `${key} ${quote(range)} is not an IPv4 range`,
        'Write it like 10.0.0.0/8; IPv6 is not supported.',
      );
  });
  return written;
}

function isIPv4Range(range: string): boolean {
  const [address = '', bits = '', ...more] = range.trim().split('/');
  return more.length === 0 && isIPv4(address) && /^\d{1,2}$/.test(bits) && Number(bits) <= 32;
}

/** What the keys of the block need of each other. */
export function checkSandbox(at: Resolution): void {
  const { sandbox } = at.written;
  if (sandbox.enabled) checkEnabled(at);
  reportIdleKeys(at);
  if (sandbox.network === 'allowlist') checkAllowlist(at);
}
/** Whoever writes these expects a sandbox, or a limit, that is not there. `enabled: false` says that it is meant. */
function reportIdleKeys(at: Resolution): void {
  const written = at.namesUnder('sandbox').filter((name) => name !== 'enabled');
  if (written.length > 0 && !at.has('sandbox.enabled')) {
    const keys = written.map((name) => `sandbox.${name}`).join(', ');
    at.warn(
      'sandbox',
      `there is no sandbox, so this does nothing: ${keys}`,
      'Write sandbox.enabled: true or false.',
    );
  }
  if (!at.written.sandbox.enabled || at.written.sandbox.network === 'allowlist') return;
  for (const name of ['network_allowlist_cidrs', 'network_interface']) {
    const key = `sandbox.${name}`;
    if (at.has(key))
      at.warn(
        key,
        `${key} does nothing unless sandbox.network is allowlist`,
        'Set sandbox.network: allowlist, or remove it.',
      );
  }
}

function checkEnabled(at: Resolution): void {
  const { sandbox } = at.written;
  if (sandbox.backend === 'none') {
    at.problem(
      'sandbox.backend',
      'sandbox.enabled needs a backend',
      'Set sandbox.backend to bubblewrap or firejail.',
    );
  }
  if (sandbox.env_allowlist.length === 0) {
    at.problem(
      'sandbox.env_allowlist',
      'sandbox.enabled needs an env_allowlist: nothing else reaches the agent',
      'List what the agent needs, such as PATH, HOME and LANG.',
    );
  }
}

function checkAllowlist(at: Resolution): void {
  const { sandbox } = at.written;
  const because = 'sandbox.network: allowlist';
  if (sandbox.backend !== 'firejail') {
    at.problem(
      'sandbox.network',
      `${because} works only with firejail`,
      'Set sandbox.backend: firejail, or network: none.',
    );
  }
  if (sandbox.network_allowlist_cidrs.length === 0) {
    at.problem(
      'sandbox.network_allowlist_cidrs',
      `${because} needs ranges`,
      'List at least one, such as 10.0.0.0/8.',
    );
  }
  if ((sandbox.network_interface ?? '').trim() === '') {
    at.problem(
      'sandbox.network_interface',
      `${because} needs an interface`,
      'Name the host interface, such as eth0.',
    );
  }
}
