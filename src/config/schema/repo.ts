import { block, filledText, optional, text, withDefault } from './key.ts';

export const repoBlock = block(
  {
    clone_url: optional(
      text,
      'What git clones: an https, ssh or scp-style address, or a path. Required once there is a `repo` block. ' +
        '`$VAR` allowed. A path that starts with `./`, `../` or `~/` is relative to the workflow file or the home directory.',
      { defaultText: 'none' },
    ),
    owner: optional(
      text,
      'Owner of the repository on its host. GitHub and Gitea trackers read issues from `owner/name`.',
      { defaultText: 'taken from `clone_url`' },
    ),
    name: optional(text, 'Name of the repository on its host.', { defaultText: 'taken from `clone_url`' }),
    default_branch: withDefault(filledText, 'main', 'Base branch of every work branch.'),
  },
  'The repository agents work in. A file with this block speaks the Go dialect; without it, the Symphony dialect: ' +
    'the workspace is an empty directory that hooks fill.',
);
