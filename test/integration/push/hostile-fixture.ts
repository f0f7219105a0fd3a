import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { PushRequest, PushResult } from '../../../src/domain/push.ts';
import type { WorkspacesOptions } from '../../../src/workspaces/create-workspaces.ts';
import type { OpenRelay, Workspace, Workspaces } from '../../../src/workspaces/workspaces.ts';
import { createFixture, type Fixture, issueOf, never } from '../workspaces/fixture.ts';

export const BRANCH = 'ai/ENG-1';
export const REF = `refs/heads/${BRANCH}`;

export interface Ended {
  readonly code: number;
  readonly text: string;
}

/** A workspace with one commit and an open relay, and a remote of which nothing but the issue's branch may change. */
export interface HostileFixture {
  readonly workspaceFixture: Fixture;
  readonly workspaces: Workspaces;
  readonly workspace: Workspace;
  readonly relay: OpenRelay;
  head(): string;
  /** Below the workspace's git directory. */
  dotGit(...parts: string[]): string;
  push(request?: Partial<PushRequest>): Promise<PushResult>;
  /** git as an agent runs it. */
  agentGit(...args: string[]): Promise<Ended>;
  config(name: string, value: string): void;
  /** A program that tells that it ran. */
  trap(path: string): string;
  ownOnRemote(): string | null;
  /** No other ref of the remote has changed, and no trap went off. */
  expectUntouched(): void;
  close(): Promise<void>;
}

export async function openHostileFixture(options: Partial<WorkspacesOptions> = {}): Promise<HostileFixture> {
  const fixture = createFixture();
  const workspaces = fixture.workspaces(options);
  const workspace = await fixture.prepareConfirmed(workspaces, issueOf('ENG-1'));
  const fired = join(fixture.base, 'fired');
  mkdirSync(fired);
  fixture.commit(workspace.path, { 'one.txt': '1\n' });
  fixture.git(fixture.remote, 'tag', 'v1', 'main');
  const refs = (): string[] =>
    fixture.git(fixture.remote, 'for-each-ref', '--format=%(objectname) %(refname)').split('\n');
  const others = (): string =>
    refs()
      .filter((line) => !line.endsWith(` ${REF}`))
      .join('\n');
  const before = others();
  const relay = workspaces.openRelay(workspace, (request) => workspaces.push('ENG-1', request, never));
  return {
    workspaceFixture: fixture,
    workspaces,
    workspace,
    relay,
    head: () => fixture.git(workspace.path, 'rev-parse', 'HEAD'),
    dotGit: (...parts) => join(workspace.path, '.git', ...parts),
    push: (request = {}) => workspaces.push('ENG-1', { commit: null, force: false, ...request }, never),
    agentGit: (...args) => runGit(workspace.path, fixture.environment, args),
    config: (name, value) => void fixture.git(workspace.path, 'config', name, value),
    trap(path) {
      writeFileSync(path, `#!/bin/sh\ntouch '${fired}'/$$\n`);
      chmodSync(path, 0o755);
      return path;
    },
    ownOnRemote: () =>
      refs()
        .find((line) => line.endsWith(` ${REF}`))
        ?.slice(0, 40) ?? null,
    expectUntouched() {
      expect(others()).toBe(before);
      expect(readdirSync(fired)).toEqual([]);
    },
    async close() {
      await relay.close();
      fixture.dispose();
    },
  };
}

export function runGit(
  cwd: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<Ended> {
  const options = { cwd, env: { ...env }, encoding: 'utf8' as const, timeout: 90_000 };
  return new Promise((resolve) => {
    execFile('git', [...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: stdout + stderr }),
    );
  });
}

export async function gone(path: string): Promise<void> {
  await expect.poll(() => existsSync(path), { timeout: 20_000 }).toBe(false);
}
