import { z } from 'zod';
import type { ForgeSettings } from '../kinds.ts';
import { block, optional, text, withDefault } from './key.ts';
import { either } from './tracker.ts';

export function forgeBlock(forges: readonly ForgeSettings[]) {
  const kinds = forges.map(({ kind }) => kind);
  const services = forges.flatMap(({ service }) => (service === null ? [] : [service.hosts[0]]));
  const beside = forges.map(({ kind, servers }) => `\`${kind}\` for ${servers} beside another tracker`);
  return block(
    {
      kind: withDefault(
        z.enum(['auto', ...kinds, 'none']),
        'auto',
        `Where the branches of \`repo.clone_url\` become pull requests. \`auto\` tells it by the host: ${services.join(', ')}, ` +
          `or the host of a tracker of kind ${either(kinds)}. Write ${beside.join(', ')}, \`none\` to offer no pull request tools.`,
      ),
      endpoint: optional(
        text,
        `Address of the forge's API: ${forges.map(({ endpointText }) => endpointText).join(', ')}. \`$VAR\` allowed.`,
        {
          defaultText: "the tracker's when it is the same forge, else made from the host of `repo.clone_url`",
        },
      ),
    },
    'The host of the repository, for the tools `pull_request_open`, `pull_request_update` and `pull_request_get`. It is signed in ' +
      "to with `repo.token`, else the tracker's key when the tracker is on the same host, else the password in `repo.clone_url`.",
  );
}
