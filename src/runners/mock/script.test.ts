import { describe, expect, test } from 'vitest';
import { readScript } from './script.ts';
import { BEHAVIOURS, type MockScript, writtenScriptSchema } from './script-schema.ts';

function script(block: string): MockScript {
  const reading = readScript(`\`\`\`mock\n${block}\n\`\`\``);
  if (!reading.ok) throw new Error(reading.message);
  return reading.script;
}

function problem(block: string): string {
  const reading = readScript(`\`\`\`mock\n${block}\n\`\`\``);
  return reading.ok ? '' : reading.message;
}

describe('readScript', () => {
  test.each([null, '', 'No block here.', '```mock\n```', '```mock\n# only a comment\n```'])(
    'succeeds by default: %j',
    (description) => {
      expect(readScript(description)).toEqual({
        ok: true,
        script: {
          behaviour: 'succeed',
          turns: 1,
          times: 0,
          when: 'turn',
          signal: null,
          exit_code: 1,
          megabytes: 20,
          line_kb: 64,
          question: 'Which option should I take?',
          commits: false,
          reset_in_s: null,
          state: 'Human Review',
          push: 'git',
          forgets_push: 'no',
          pull_request: false,
          step_ms: 50,
          tokens_per_turn: 1500,
        },
      });
    },
  );

  test('defaults that depend on the behaviour', () => {
    expect(script('behaviour: turns').turns).toBe(3);
    expect(script('behaviour: crash').turns).toBe(1);
    expect(script('behaviour: fail').times).toBe(1);
    expect(script('behaviour: ask').times).toBe(1);
    expect(script('behaviour: crash').times).toBe(0);
    expect(script('behaviour: fail\ntimes: 0').times).toBe(0);
  });

  test.each([
    ['behavior: fail', /Unrecognized key: "behavior"/],
    ['behaviour: explode', /behaviour: Invalid option/],
    ['behaviour: turns\nturns: 0', /turns: Too small/],
    ['turns: many', /turns: Invalid input/],
    ['turns: 1.5', /turns: /],
    ['signal: SIGSTOP', /signal: Invalid option/],
    ['state: "  "', /state: Too small/],
    ['- a\n- b', /must be lines of `key: value`/],
    ['just words', /must be lines of `key: value`/],
    ['behaviour: [', /not YAML/],
    ['behaviour: fail\nbehaviour: hang', /not YAML: Map keys must be unique/],
    ['behaviour: &a [*a]', /behaviour: /],
  ])('refuses %j', (block, expected) => {
    expect(problem(block)).toMatch(expected);
  });

  test('a refusal lists every key and behaviour', () => {
    const message = problem('nonsense: 1');
    for (const name of [...Object.keys(writtenScriptSchema.shape), ...BEHAVIOURS])
      expect(message).toContain(name);
    expect(message).not.toContain('\n');
  });

  test.each([
    ['```mock\nbehaviour: fail', /never closed/],
    ['```mock\n```\n```mock\n```', /more than one/],
  ])('refuses %j as a whole', (description, expected) => {
    const reading = readScript(description);
    expect(reading.ok ? '' : reading.message).toMatch(expected);
  });

  test('every key says what it is for', () => {
    for (const [key, schema] of Object.entries(writtenScriptSchema.shape)) {
      expect(schema.description, key).toMatch(/\.$/);
    }
  });
});
