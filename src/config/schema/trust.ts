import { z } from 'zod';
import { block, filledTexts, flag, optional, withDefault } from './key.ts';

const POLL = { applies: 'next poll' } as const;

/** Absent is not the same as empty: without the block everybody's issues run. */
export const trustBlock = z
  .object({
    authors: withDefault(
      filledTexts,
      [],
      'Whose issues run and whose comments the agent gets to see, see [trust](trust.md). With any key of `tracker.trust` an ' +
        'issue needs a match in one of its lists, to start and to keep running; an unknown author matches none. GitHub and ' +
        'Gitea: logins (`ada`, `renovate[bot]`); linear: email addresses or user ids; local: the `author` of the file. ' +
        'Compared without case.',
      POLL,
    ),
    associations: withDefault(
      filledTexts,
      [],
      'GitHub: the same for everybody who stands like this to the repository: `OWNER`, `MEMBER`, `COLLABORATOR`.',
      POLL,
    ),
    labels: withDefault(
      filledTexts,
      [],
      'An issue with one of these labels runs whoever wrote it. Its comments are judged by their own authors.',
      POLL,
    ),
  })
  .optional()
  .meta({
    ...POLL,
    description: 'Whose texts may reach an agent. Without it every issue in an active state runs.',
  });

export const promptBlock = block(
  {
    delimit: optional(
      flag,
      'Set texts from the tracker apart from your template by marks that they cannot forge, take hidden text out of them, ' +
        'and tell the agent that they are data. The built-in prompt does so always.',
      { defaultText: '`true` with `tracker.trust`, else `false`' },
    ),
  },
  'How the prompt is made of the template and the issue.',
);
