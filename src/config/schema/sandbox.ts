import { z } from 'zod';
import { block, filledTexts, flag, optional, text, withDefault } from './key.ts';

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
    network_allowlist_cidrs: withDefault(filledTexts, [], 'IPv4 ranges reachable with `network: allowlist`.'),
    network_interface: optional(text, 'Host interface used with `network: allowlist`.', {
      defaultText: 'none',
    }),
    env_allowlist: withDefault(
      filledTexts,
      [],
      'The only environment variables inside the sandbox. Credentials of the worker are refused.',
    ),
    credential_files: withDefault(
      filledTexts,
      [],
      'Files readable inside the sandbox, such as a login of the agent. `~` and `$VAR` allowed.',
    ),
    writable_folders: withDefault(
      filledTexts,
      [],
      'Folders the agent may change besides its workspace, such as a cache, or with `repo.push: agent` a bare repository that it pushes to. ' +
        'They must exist, and hold nothing that the worker relies on. `~` and `$VAR` allowed.',
    ),
  },
  'Isolation of agent processes (Linux).',
);
