import { parse } from 'yaml';
import type { z } from 'zod';
import { isYamlTooDeep } from '../../domain/nesting.ts';
import { messageOf } from '../../errors/app-error.ts';
import { findFencedBlock } from './fenced-block.ts';
import { BEHAVIOURS, fillScript, type MockScript, writtenScriptSchema } from './script-schema.ts';

export type ScriptReading =
  | { readonly ok: true; readonly script: MockScript }
  /** `message` says what is wrong and which keys there are. */
  | { readonly ok: false; readonly message: string };

/** Reads the `mock` block of an issue's description; without one the agent simply succeeds. */
export function readScript(description: string | null): ScriptReading {
  const block = findFencedBlock(description ?? '', 'mock');
  switch (block.kind) {
    case 'none':
      return { ok: true, script: fillScript(writtenScriptSchema.parse({})) };
    case 'unclosed':
      return refuse('the block is never closed; end it with a line of three backticks');
    case 'several':
      return refuse('there is more than one block; keep one');
    case 'found':
      return readBlock(block.text);
  }
}

/** No script of a person comes near it. */
const MAX_CHARACTERS = 32 * 1024;

function readBlock(text: string): ScriptReading {
  if (text.length > MAX_CHARACTERS || isYamlTooDeep(text))
    return refuse('it is too large or nested too deeply');
  let written: unknown;
  try {
    written = parse(text, { schema: 'core', logLevel: 'error' });
  } catch (error) {
    return refuse(`it is not YAML: ${firstLine(messageOf(error))}`);
  }
  const result = writtenScriptSchema.safeParse(written ?? {});
  if (result.success) return { ok: true, script: fillScript(result.data) };
  return refuse(result.error.issues.map(describeIssue).join('; '));
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.path.length === 0 && issue.code === 'invalid_type') return 'it must be lines of `key: value`';
  return issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`;
}

function refuse(problem: string): ScriptReading {
  const keys = Object.keys(writtenScriptSchema.shape).join(', ');
  return {
    ok: false,
    message: `the issue's mock block is invalid: ${problem}. Valid keys: ${keys}. Behaviours: ${BEHAVIOURS.join(', ')}.`,
  };
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]?.replace(/:$/, '') ?? '';
}
