import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stateFolderOf, stateHome } from './state-folder.ts';

const HOME = '/home/me';

describe('the state folder of a workflow', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'state-folder-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is below the user state directory; a relative XDG_STATE_HOME does not count', () => {
    expect(stateHome({ HOME })).toBe('/home/me/.local/state/aiops');
    expect(stateHome({ HOME, XDG_STATE_HOME: '/var/me' })).toBe('/var/me/aiops');
    expect(stateHome({ HOME, XDG_STATE_HOME: 'state' })).toBe('/home/me/.local/state/aiops');
    expect(stateHome({ HOME, XDG_STATE_HOME: ' ' })).toBe('/home/me/.local/state/aiops');
  });

  it('is the same for all ways to one file and another for each other file', () => {
    mkdirSync(join(folder, 'shop'));
    writeFileSync(join(folder, 'shop', 'WORKFLOW.md'), '');
    symlinkSync(join(folder, 'shop'), join(folder, 'link'));
    const environment = { HOME };
    const own = stateFolderOf(join(folder, 'shop', 'WORKFLOW.md'), environment);
    expect(stateFolderOf(join(folder, 'link', 'WORKFLOW.md'), environment)).toBe(own);
    expect(dirname(own)).toBe('/home/me/.local/state/aiops');
    expect(basename(own)).toMatch(/^shop-[0-9a-f]{12}$/);
    symlinkSync('WORKFLOW.md', join(folder, 'shop', 'other.md'));
    expect(stateFolderOf(join(folder, 'shop', 'other.md'), environment)).not.toBe(own);
    const maker = stateFolderOf(join(folder, 'shop', 'maker.md'), environment);
    expect(basename(maker)).toMatch(/^shop-maker-[0-9a-f]{12}$/);
    expect(stateFolderOf('/other/shop/WORKFLOW.md', environment)).not.toBe(own);
  });

  it.each([
    ['/a b/../é💥/WORKFLOW.md', /^_-[0-9a-f]{12}$/],
    ['/WORKFLOW.md', /^workflow-[0-9a-f]{12}$/],
    ['/.hidden/WORKFLOW.md', /^hidden-[0-9a-f]{12}$/],
    [`/${'x'.repeat(200)}/WORKFLOW.md`, /^x{40}-[0-9a-f]{12}$/],
  ])('has a plain name for %s', (path, name) => {
    expect(basename(stateFolderOf(path, { HOME }))).toMatch(name);
  });
});
