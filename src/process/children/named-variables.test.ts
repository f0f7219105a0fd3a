import { expect, test } from 'vitest';
import { variablesNamedIn } from './named-variables.ts';

test.each([
  ['git clone --depth 1 "$SOURCE_REPO_URL" .', ['SOURCE_REPO_URL']],
  [`$\{CODEX_BIN:-codex} app-server --port $\{PORT}`, ['CODEX_BIN', 'PORT']],
  ['echo $A$B $A', ['A', 'B']],
  [`echo $\{#LENGTH} $\{!INDIRECT}`, ['LENGTH', 'INDIRECT']],
  [`echo $$ $1 $? $@ $(pwd) $\{1}`, []],
  ['echo \\$LITERAL \\\\$REAL', ['REAL']],
  ['', []],
])('%s names %j', (script, names) => {
  expect(variablesNamedIn(script)).toEqual(names);
});
