import type { Config } from '../../../config/config.ts';
import { fail, ok, type Verdict, warn } from '../../../domain/verdict.ts';
import type { Check } from '../../check.ts';
import type { Effects } from '../../effects.ts';

const MEBIBYTE = 1024 * 1024;

type Disk = Pick<Effects, 'folder' | 'requireFreeSpace' | 'whyNotPrivate'>;

export function rootCheck({ workspace }: Config, disk: Disk): Check {
  return {
    id: 'workspace-root',
    title: 'Workspace root',
    needs: 'machine',
    run: () => judgeFolder(workspace.root, 'workspace.root', workspace.minFreeMb, disk),
  };
}

export function mirrorCheck({ workspace }: Config, disk: Disk): Check {
  return {
    id: 'mirror-root',
    title: 'Mirror root',
    needs: 'machine',
    run: () => judgeFolder(workspace.mirrorRoot, 'workspace.mirror_root', workspace.minFreeMb, disk),
  };
}

/** The folder that is the workflow's own by default. It holds the token of the worker, so nobody else may look in. */
export function stateCheck(
  effects: Pick<Effects, 'folder' | 'stateFolder' | 'whyNotPrivate' | 'earlierRoot'>,
): Check {
  return {
    id: 'state-folder',
    title: 'State folder',
    needs: 'machine',
    async run() {
      const path = effects.stateFolder();
      const { exists, nearest, problem } = await effects.folder(path);
      if (problem !== null)
        return warn(
          `${path} cannot be written: ${problem}`,
          `Let this user write to ${nearest}, or set XDG_STATE_HOME: without it commands do not find the worker.`,
        );
      const open = await effects.whyNotPrivate(path);
      if (open !== null) return fail(`${path} is not yours alone: ${open.why}`, open.fix);
      const earlier = await effects.earlierRoot();
      if (earlier !== null)
        return warn(
          `an earlier version kept journal and workspaces of this workflow in ${earlier}`,
          `Set workspace.root to ${earlier} to go on with them, or leave them there and begin anew.`,
        );
      return ok(exists ? `${path} is yours alone` : `${path} will be created`);
    },
  };
}

async function judgeFolder(path: string, key: string, minFreeMb: number, disk: Disk): Promise<Verdict> {
  const { nearest, exists, problem } = await disk.folder(path);
  if (problem !== null) {
    const what = exists ? `${path} cannot be used` : `${path} cannot be created below ${nearest}`;
    return fail(
      `${what}: ${problem}`,
      `Let this user write to ${nearest}, or set ${key} to a folder of its own.`,
    );
  }
  const open = await disk.whyNotPrivate(path);
  if (open !== null) {
    const text = `${path} is not yours alone: ${open.why}`;
    return open.closable
      ? warn(`${text}; a worker closes it when it starts`, open.fix)
      : fail(text, open.fix);
  }
  await disk.requireFreeSpace(nearest, minFreeMb * MEBIBYTE);
  const space = minFreeMb === 0 ? '' : `, with at least ${minFreeMb} MiB free`;
  return ok(exists ? `${path} can be written${space}` : `${path} will be created${space}`);
}

/** An unreadable journal never stops a worker, so it is a warning. */
export function journalCheck({ workspace }: Config, { readJournal }: Pick<Effects, 'readJournal'>): Check {
  return {
    id: 'journal',
    title: 'Journal',
    needs: 'machine',
    doctorOnly: true,
    async run() {
      try {
        const journal = await readJournal(workspace.root);
        if (journal === null) return ok('none yet: the worker begins one when it starts');
        if (journal.problem !== null) return warn(journal.problem, 'Look at the log of the worker.');
        return ok(`can be read; ${journal.recentRuns === 0 ? 'no run yet' : 'runs are in it'}`);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        return warn(
          text,
          'The worker moves a damaged journal aside when it starts and begins a new one: budgets and history start anew.',
        );
      }
    },
  };
}
