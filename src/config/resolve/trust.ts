import { nearest } from '../../domain/nearest.ts';
import type { TrustRules } from '../../domain/trust.ts';
import type { Config } from '../config.ts';
import { quote } from '../read/problem.ts';
import type { Resolution } from './context.ts';

const INVALID = 'invalid_tracker_config';
const KEY = 'tracker.trust';
const INSIDERS = ['OWNER', 'MEMBER', 'COLLABORATOR'];
/** GitHub gives these to anybody who opens an issue or once had a change merged. */
const OUTSIDERS = ['CONTRIBUTOR', 'FIRST_TIME_CONTRIBUTOR', 'FIRST_TIMER', 'MANNEQUIN', 'NONE'];

/** Null when the file sets no gate. A gate that nobody could pass is an error, never an open gate. */
export function resolveTrust(at: Resolution, kind: string): TrustRules | null {
  const written = at.written.tracker.trust;
  if (written === undefined && !at.namesUnder('tracker').includes('trust')) return null;
  const rules = {
    authors: fold(written?.authors?.map((name) => name.trim().replace(/^@/, ''))),
    associations: fold(written?.associations),
    labels: fold(written?.labels),
  };
  checkAssociations(at, kind, rules.associations);
  const able = [...rules.authors, ...rules.labels, ...(kind === 'github' ? rules.associations : [])];
  if (able.length === 0) {
    at.problem(
      KEY,
      `${KEY} lets nobody in, so no issue would ever run`,
      'Name authors, associations (github) or labels under it, or remove it to run the issues of everybody.',
      INVALID,
    );
  }
  return rules;
}

function checkAssociations(at: Resolution, kind: string, associations: readonly string[]): void {
  const key = `${KEY}.associations`;
  if (associations.length > 0 && kind !== 'github') {
    at.warn(key, `${key} has no effect for kind ${kind}, which has none`, 'Name authors or labels instead.');
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

export function resolvePrompt(at: Resolution, trust: TrustRules | null): Config['prompt'] {
  return { delimit: at.written.prompt.delimit ?? trust !== null };
}

function fold(names: readonly string[] = []): readonly string[] {
  return [...new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))];
}
