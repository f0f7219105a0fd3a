import { z } from 'zod';
import { block, optional, text, withDefault } from './key.ts';

export const FORGE_KINDS = ['auto', 'github', 'gitea', 'none'] as const;

export const forgeBlock = block(
  {
    kind: withDefault(
      z.enum(FORGE_KINDS),
      'auto',
      'Where the branches of `repo.clone_url` become pull requests. `auto` tells it by the host: github.com, or the host of ' +
        'the GitHub or Gitea tracker. Write `github` for GitHub Enterprise Server beside another tracker, `gitea` for Gitea or ' +
        'Forgejo beside another tracker, `none` to offer no pull request tools.',
    ),
    endpoint: optional(
      text,
      "Address of the forge's API: `https://HOST/api/v3` of GitHub Enterprise Server, the address of a Gitea or Forgejo server. `$VAR` allowed.",
      { defaultText: "the tracker's when it is the same forge, else made from the host of `repo.clone_url`" },
    ),
  },
  'The host of the repository, for the tools `pull_request_open`, `pull_request_update` and `pull_request_get`. It is signed in ' +
    "to with `repo.token`, else the tracker's key when the tracker is on the same host, else the password in `repo.clone_url`.",
);
