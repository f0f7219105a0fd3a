import { expect, test } from 'vitest';
import { readVersion } from '../../version.ts';
import { schemaFor } from './schema-line.ts';

const INSIDE = 'node_modules/aiops-platform/schema/workflow.schema.json';
const PUBLISHED = `https://unpkg.com/aiops-platform@${readVersion()}/schema/workflow.schema.json`;

test.each([
  ['/home/me/app/WORKFLOW.md', `/home/me/app/${INSIDE}`, `./${INSIDE}`],
  ['/home/me/app/ops/WORKFLOW.md', `/home/me/app/${INSIDE}`, `../${INSIDE}`],
  ['/home/me/app/WORKFLOW.md', `/usr/lib/${INSIDE}`, PUBLISHED],
  ['/home/me/app/WORKFLOW.md', `/home/me/.npm-global/lib/${INSIDE}`, PUBLISHED],
  ['/home/me/app/WORKFLOW.md', '/home/me/aiops/schema/workflow.schema.json', PUBLISHED],
  ['/home/me/application/WORKFLOW.md', `/home/me/app/${INSIDE}`, PUBLISHED],
])('an editor that opens %s is led from %s to %s', (workflow, schema, line) => {
  expect(schemaFor(workflow, schema)).toBe(line);
});
