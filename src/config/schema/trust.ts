import { z } from 'zod';
import { nearest } from '../../domain/nearest.ts';
import type { TrustRules } from '../../domain/trust.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from '../resolve/context.ts';
import { block, filledTexts, flag, optional, type Place, withDefault } from './key.ts';

const POLL = { applies: 'next poll' } as const;
const INVALID = 'invalid_tracker_config';
const INSIDERS = ['OWNER', 'MEMBER', 'COLLABORATOR'];
/** GitHub gives these to anybody who opens an issue or once had a change merged. */
const OUTSIDERS = ['CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'FIRST_TIMER', 'MANNEQUIN', 'NONE'];

const written = z.object({
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
});

/** Absent is not the same as empty: without the block everybody's issues run. */
export const trustKey = optional(
  written,
  'Whose texts may reach an agent. Without it every issue in an active state runs.',
  { ...POLL, read: readTrust },
);

/** Null when the file sets no gate. A gate that nobody could pass is an error, never an open gate. */
function readTrust(trust: z.output<typeof written> | undefined, { at, key }: Place): TrustRules | null {
  if (!hasTrust(at)) return null;
  const rules = {
    authors: fold(trust?.authors.map((name) => name.trim().replace(/^@/, ''))),
    associations: fold(trust?.associations),
    labels: fold(trust?.labels),
  };
  const judged = at.trackerKind?.hasAssociations === true;
  checkAssociations({ at, key: `${key}.associations` }, judged, rules.associations);
  if ([...rules.authors, ...rules.labels, ...(judged ? rules.associations : [])].length === 0) {
    at.problem(
      key,
      `${key} lets nobody in, so no issue would ever run`,
      'Name authors, associations (github) or labels under it, or remove it to run the issues of everybody.',
      INVALID,
    );
  }
  return rules;
}

/** Whether the block is written at all, with or without keys in it. */
function hasTrust(at: Resolution): boolean {
  return at.namesUnder('tracker').includes('trust');
}

function checkAssociations({ at, key }: Place, judged: boolean, associations: readonly string[]): void {
  if (associations.length > 0 && !judged) {
    const message = `${key} has no effect for kind ${at.written.tracker.kind ?? ''}, which has none`;
    at.warn(key, message, 'Name authors or labels instead.');
    return;
  }
  for (const association of associations.map((name) => name.toUpperCase())) {
    if (INSIDERS.includes(association)) continue;
    if (OUTSIDERS.includes(association)) {
      const message = `${key} lets in ${association}, which strangers can be`;
      at.warn(
        key,
        message,
        `Use ${INSIDERS.join(', ')}, and tracker.trust.labels for single issues of others.`,
      );
      continue;
    }
    const meant = nearest(association, [...INSIDERS, ...OUTSIDERS]);
    at.problem(
      key,
      `${key} ${quote(association)} is not an association of GitHub`,
      meant === null ? `Use ${INSIDERS.join(', ')}.` : `Did you mean ${meant}?`,
      INVALID,
    );
  }
}

function fold(names: readonly string[] = []): readonly string[] {
  return [...new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))];
}

export const promptBlock = block(
  {
    delimit: optional(
      flag,
      'Set texts from the tracker apart from your template by marks that they cannot forge, take hidden text out of them, ' +
        'and tell the agent that they are data. The built-in prompt does so always.',
      {
        defaultText: '`true` with `tracker.trust`, else `false`',
        read: (chosen, { at }) => chosen ?? hasTrust(at),
      },
    ),
  },
  'How the prompt is made of the template and the issue.',
);
