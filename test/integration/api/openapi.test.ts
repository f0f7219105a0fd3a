import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { API_ROUTES, EVENTS_PATH, OPENAPI_PATH } from '../../../src/contract/api.ts';
import { openApiDocument } from '../../../src/contract/openapi.ts';
import { createApp } from '../../../src/server/app.ts';
import { ask } from '../server/ask.ts';
import { scriptedSource } from '../server/state-fixture.ts';

const COMMITTED = fileURLToPath(new URL('../../../schema/openapi.json', import.meta.url));

describe('the OpenAPI document', () => {
  it('is committed as the contract is now; `npm run docs:api` writes it anew', async () => {
    const committed: unknown = JSON.parse(await readFile(COMMITTED, 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('is served', async () => {
    const response = await ask(createApp(scriptedSource()), OPENAPI_PATH);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
  });

  it('describes every route, and refers to nothing that is not there', () => {
    const document = JSON.parse(JSON.stringify(openApiDocument())) as {
      paths: Record<string, object>;
      components: { schemas: Record<string, object> };
    };
    const paths = Object.keys(document.paths);
    expect(paths).toContain(EVENTS_PATH);
    for (const { path } of Object.values(API_ROUTES)) {
      if (path.includes('{action}')) expect(paths).toContain('/api/v1/actions/stop');
      else expect(paths).toContain(path);
    }
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    const known = new Set(
      Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`),
    );
    const unknown = [...references].map(([, name = '']) => name).filter((name) => !known.has(name));
    expect(unknown).toEqual([]);
    expect(known.size).toBeGreaterThan(15);
  });
});
