import { z } from 'zod';
import { REMOVED_KEYS } from '../read/removed-keys.ts';
import { defaultOf, notesOf, shapeOf, typeText, unwrap } from '../schema/shape.ts';
import { FLAT_TRACKER_KEYS } from '../schema/tracker.ts';
import { workflowSchema } from '../schema/workflow.ts';
import { REFERENCE_FOOT, REFERENCE_HEAD } from './reference-texts.ts';

/** `docs/config.md`: every key of the front matter, from the schema itself. */
export function configReferencePage(): string {
  const blocks = Object.entries(workflowSchema.shape).map(([name, schema]) => blockSection(name, schema));
  return `${[REFERENCE_HEAD, ...blocks, removedSection(), REFERENCE_FOOT].join('\n\n')}\n`;
}

interface Row {
  readonly key: string;
  readonly schema: z.core.$ZodType;
}

function blockSection(name: string, schema: z.core.$ZodType): string {
  const rows = leaves(name, schema).map(({ key, schema: leaf }) => {
    const { description = '', environment, applies = '' } = describe(leaf);
    const about = environment === undefined ? description : `${description} Variables: ${environment}.`;
    const type = shapeOf(leaf) === null ? typeText(leaf) : 'a map';
    return `| \`${key}\` | ${cell(type)} | ${cell(defaultText(leaf))} | ${applies} | ${cell(about)} |`;
  });
  return [
    `## ${name}`,
    '',
    describe(schema).description ?? '',
    '',
    '| key | type | default | takes effect | meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The keys of a block. What may be written flat or under `tracker.provider` is listed once, flat. */
function leaves(key: string, schema: z.core.$ZodType): readonly Row[] {
  const shape = shapeOf(schema);
  const inner = unwrap(schema);
  if (inner instanceof z.ZodRecord && shapeOf(inner.valueType) !== null)
    return [{ key, schema }, ...leaves(`${key}.NAME`, inner.valueType)];
  if (shape === null || notesOf(schema).sameAs !== undefined) return [{ key, schema }];
  const named = Object.entries(shape).filter(
    ([name]) => key !== 'tracker.provider' || !FLAT_TRACKER_KEYS.includes(name),
  );
  const rows = named.flatMap(([name, leaf]) => leaves(`${key}.${name}`, leaf));
  return key === 'tracker.provider' ? [{ key, schema }, ...rows] : rows;
}

function describe(schema: z.core.$ZodType): ReturnType<typeof notesOf> & { readonly description?: string } {
  return notesOf(schema);
}

function defaultText(schema: z.core.$ZodType): string {
  const value = defaultOf(schema);
  if (value === undefined) return describe(schema).defaultText ?? 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'empty' : value.map((item) => `\`${item}\``).join(', ');
  return typeof value === 'object' ? `\`${JSON.stringify(value)}\`` : `\`${String(value)}\``;
}

function removedSection(): string {
  const rows = Object.entries(REMOVED_KEYS).map(([key, guidance]) => `| \`${key}\` | ${cell(guidance)} |`);
  return [
    '## Removed keys',
    '',
    'A file with one of these does not load.',
    '',
    '| key | instead |',
    '|---|---|',
    ...rows,
  ].join('\n');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
