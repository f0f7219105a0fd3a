import { z } from 'zod';
import { removedKeys } from '../read/removed-keys.ts';
import { defaultOf, notesOf, shapeOf, typeText, unwrap } from '../schema/shape.ts';
import { flatTrackerKeys } from '../schema/tracker.ts';
import type { WorkflowFormat } from '../schema/workflow.ts';
import { REFERENCE_FOOT, referenceHead } from './reference-texts.ts';

/** `docs/config.md`: every key of the front matter, from the schema itself. */
export function configReferencePage({ schema: workflow, kinds }: WorkflowFormat): string {
  const flatKeys = Object.keys(flatTrackerKeys(kinds.trackers));
  const blocks = Object.entries(workflow.shape).map(([name, schema]) => blockSection(name, schema, flatKeys));
  const removed = removedSection(removedKeys(kinds));
  return `${[referenceHead(kinds.trackers), ...blocks, removed, REFERENCE_FOOT].join('\n\n')}\n`;
}

interface Row {
  readonly key: string;
  readonly schema: z.core.$ZodType;
}

function blockSection(name: string, schema: z.core.$ZodType, flatKeys: readonly string[]): string {
  const rows = leaves(name, schema, flatKeys).map(({ key, schema: leaf }) => {
    const { description = '', environment, applies = '' } = notesOf(leaf);
    const about = environment === undefined ? description : `${description} Variables: ${environment}.`;
    const type = shapeOf(leaf) === null ? typeText(leaf) : 'a map';
    return `| \`${key}\` | ${cell(type)} | ${cell(defaultText(leaf))} | ${applies} | ${cell(about)} |`;
  });
  return [
    `## ${name}`,
    '',
    notesOf(schema).description ?? '',
    '',
    '| key | type | default | takes effect | meaning |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The keys of a block. What may be written flat or under `tracker.provider` is listed once, flat. */
function leaves(key: string, schema: z.core.$ZodType, flatKeys: readonly string[]): readonly Row[] {
  const shape = shapeOf(schema);
  const inner = unwrap(schema);
  if (inner instanceof z.ZodRecord && shapeOf(inner.valueType) !== null)
    return [{ key, schema }, ...leaves(`${key}.NAME`, inner.valueType, flatKeys)];
  if (shape === null || notesOf(schema).sameAs !== undefined) return [{ key, schema }];
  const named = Object.entries(shape).filter(
    ([name]) => key !== 'tracker.provider' || !flatKeys.includes(name),
  );
  const rows = named.flatMap(([name, leaf]) => leaves(`${key}.${name}`, leaf, flatKeys));
  return key === 'tracker.provider' ? [{ key, schema }, ...rows] : rows;
}

function defaultText(schema: z.core.$ZodType): string {
  const value = defaultOf(schema);
  if (value === undefined) return notesOf(schema).defaultText ?? 'none';
  if (Array.isArray(value))
    return value.length === 0 ? 'empty' : value.map((item) => `\`${item}\``).join(', ');
  return typeof value === 'object' ? `\`${JSON.stringify(value)}\`` : `\`${String(value)}\``;
}

function removedSection(removed: Readonly<Record<string, string>>): string {
  const rows = Object.entries(removed).map(([key, guidance]) => `| \`${key}\` | ${cell(guidance)} |`);
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
