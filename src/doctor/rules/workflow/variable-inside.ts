import { fail, type Verdict, warn } from '../../../domain/verdict.ts';
import { type Check, problemsOr } from '../../check.ts';

const INSIDE = /\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/;
const WHOLE = /^\s*\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\})\s*$/;

/** A shell reads these, or Claude does. */
const READ_BY_OTHERS = /(^|\.)(command|commands|hooks|verify|allowed_tools|disallowed_tools|prices)(\.|\[|$)/;
/** Variables are put in wherever they stand in a path. */
const PATHS =
  /^(workspace\.(root|mirror_root)|tracker\.(provider\.)?path|.*\b(state_folders|writable_folders|credential_files)\[\d+\])$/;
/** Part of it might be part of the secret. */
const SECRETS = /(api_key|token|secret|webhook_url|slack_url)$/;

/** A `$NAME` in a longer text stays what it is, which hardly anybody means. */
export function variableInside(texts: ReadonlyMap<string, string>): Check {
  return {
    id: 'variable-inside',
    title: 'Variables in settings',
    needs: 'config',
    async run() {
      const found = [...texts].flatMap(([key, text]) => judge(key, text));
      return problemsOr(found, 'each stands for a whole value, or in a path');
    },
  };
}

function judge(key: string, text: string): readonly Verdict[] {
  const match = INSIDE.exec(text);
  if (match === null || WHOLE.test(text) || READ_BY_OTHERS.test(key) || PATHS.test(key)) return [];
  const name = match[1] ?? match[2] ?? '';
  if (key === 'repo.clone_url') return isPath(text) ? [] : [inAddress(name, text)];
  const shown = SECRETS.test(key) ? 'a `$NAME`' : `$${name}`;
  return [
    warn(
      `${key} has ${shown} inside of a longer text: it stays there as it is written`,
      `Put the whole value into a variable of the worker and write ${key}: $NAME_OF_THE_VARIABLE.`,
      key,
    ),
  ];
}

function inAddress(name: string, text: string): Verdict {
  const credential = /:\/\/[^/]*\$[^/]*@/.test(text);
  return fail(
    `repo.clone_url has $${name} inside of an address: it stays there as it is written, and git would send it so`,
    credential
      ? `Write the address without user and password, and repo.token: $${name}.`
      : 'Write the address out, or put all of it into a variable: repo.clone_url: $NAME_OF_THE_VARIABLE.',
    'repo.clone_url',
  );
}

/** A local path: variables in it are expanded. */
function isPath(text: string): boolean {
  return /^\s*(\$|~|\.{0,2}\/)/.test(text) && !text.includes('://') && !text.includes('@');
}
