import { quote } from '../read/problem.ts';
import { filledTexts, type Key, type Place, withDefault } from './key.ts';

/** The names of variables that an agent gets besides the basic ones. A credential of the worker among them is refused. */
export function passedVariables(description: string): PassedVariables {
  return withDefault(filledTexts, [], description, {
    read: (names, place) => readNames(names, place, refuse),
  });
}

/** The same for hooks, from which a credential is left out. */
export function variablesForHooks(description: string): PassedVariables {
  return withDefault(filledTexts, [], description, {
    read: (names, place) => readNames(names, place, leaveOut),
  });
}

type PassedVariables = Key<ReturnType<typeof filledTexts.default>, readonly string[]>;

function readNames(
  names: readonly string[],
  { at, key: list }: Place,
  onCredential: (place: Place, name: string) => void,
): readonly string[] {
  names.forEach((name, index) => {
    const key = `${list}[${index}]`;
    if (!/^[A-Za-z_]\w*$/.test(name))
      at.problem(
        key,
        `${key} ${quote(name)} is not the name of a variable`,
        'Write names only, such as HTTPS_PROXY.',
      );
    else if (at.holdsCredential(name)) onCredential({ at, key }, name);
  });
  return names;
}

function refuse({ at, key }: Place, name: string): void {
  at.problem(key, `${key}: ${name} holds a credential of the worker`, 'Remove it: agents never get it.');
}

function leaveOut({ at, key }: Place, name: string): void {
  at.warn(
    key,
    `${key}: ${name} holds a credential of the worker and is left out`,
    'Remove it from the list.',
  );
}
