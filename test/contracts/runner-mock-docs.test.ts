import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readScript } from '../../src/runners/mock/script.ts';
import { BEHAVIOURS, writtenScriptSchema } from '../../src/runners/mock/script-schema.ts';

const page = readFileSync(new URL('../../docs/runners/mock.md', import.meta.url), 'utf8');
const sections = new Map(
  page.split(/^### /m).map((section) => [section.slice(0, section.indexOf('\n')), section] as const),
);

test('every behaviour has a section with a valid example of itself', () => {
  for (const behaviour of BEHAVIOURS) {
    const section = sections.get(`\`${behaviour}\``)?.split(/^## /m)[0];
    const reading = readScript(section ?? '');
    expect(reading, behaviour).toMatchObject({ ok: true, script: { behaviour } });
    expect(section, behaviour).toContain('```mock');
  }
});

test('the table lists every key with its default', () => {
  const defaults = writtenScriptSchema.parse({});
  const rows = [...page.matchAll(/^\| `(\w+)` \| (.*?) \| .* \|$/gm)];
  const documented = new Map(rows.map(([, key, value]) => [key, value]));
  for (const key of writtenScriptSchema.keyof().options) {
    const value = defaults[key] ?? (key === 'turns' || key === 'times' ? undefined : 'none');
    const shown = documented.get(key)?.replaceAll('`', '');
    expect(shown, key).toBeDefined();
    if (value !== undefined) expect(shown, key).toBe(String(value));
  }
});
