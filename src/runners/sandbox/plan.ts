import { realpath, stat } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { AppError } from '../../errors/app-error.ts';
import { isInside } from '../../process/inside-folder.ts';

/** What an agent's process may see of the file system, apart from the system's own programs and libraries. */
export interface Visibility {
  /** Absolute path of the program. */
  readonly program: string;
  readonly home: string | null;
  readonly writable: readonly string[];
  readonly readOnly: readonly string[];
}

export interface VisibilityInput {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly workspacePath: string;
  /** Folders the agent keeps its own state in. */
  readonly stateFolders: readonly string[];
  readonly programFiles: readonly string[];
  readonly credentialFiles: readonly string[];
  readonly borrowedFolders: readonly string[];
  /** Folders of the workflow, besides the workspace. */
  readonly writableFolders: readonly string[];
  readonly mirrorRoot: string;
}

/** Part of the system in every sandbox. */
export const SYSTEM_FOLDERS: readonly string[] = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/lib32'];

export async function planVisibility(input: VisibilityInput): Promise<Visibility> {
  const { command, env, workspacePath, credentialFiles } = input;
  const program = await findProgram(command, env['PATH'] ?? '');
  const interpreter = await findProgram('node', env['PATH'] ?? '').catch(() => null);
  for (const file of credentialFiles) await requireFile(file);
  for (const folder of input.writableFolders) await checkWritable(folder, input);
  const programs = interpreter === null ? [program] : [program, interpreter];
  const folders = await Promise.all(programs.map(foldersOfProgram));
  const readOnly = [
    ...folders.flat(),
    ...input.programFiles,
    ...(await existingBorrowed(input)),
    ...credentialFiles,
  ];
  return {
    program,
    home: env['HOME'] !== undefined && isAbsolute(env['HOME']) && env['HOME'] !== '/' ? env['HOME'] : null,
    writable: [...new Set([workspacePath, ...input.stateFolders, ...input.writableFolders])],
    readOnly: [...new Set(readOnly)].filter(
      (path) => !SYSTEM_FOLDERS.some((folder) => isInside(path, folder)),
    ),
  };
}

/** Where a command's program is. Throws `agent_not_found`. */
export async function findProgram(command: string, searchPath: string): Promise<string> {
  const candidates = command.includes('/')
    ? [command]
    : searchPath.split(delimiter).map((folder) => join(folder, command));
  for (const candidate of candidates) {
    const found = isAbsolute(candidate) ? await stat(candidate).catch(() => null) : null;
    if (found?.isFile() === true && (found.mode & 0o111) !== 0) return candidate;
  }
  throw new AppError('agent_not_found', `The executable ${command} was not found on the agent's PATH.`, {
    hint: `Install ${command}, or write its full path into the runner's command in WORKFLOW.md.`,
    context: { command },
  });
}

/** Where a program stands, where it really is, and for a package of npm its whole folder of packages. */
async function foldersOfProgram(program: string): Promise<readonly string[]> {
  const real = await realpath(program);
  const packages = real.lastIndexOf(`${sep}node_modules${sep}`);
  const root =
    packages === -1
      ? dirname(real)
      : real.slice(0, real.indexOf(`${sep}node_modules${sep}`) + `${sep}node_modules`.length);
  return [dirname(program), root];
}

/** A folder that is gone is left out: the agent finds out from git. Nothing wider than one repository is ever shown. */
async function existingBorrowed({
  borrowedFolders,
  mirrorRoot,
}: VisibilityInput): Promise<readonly string[]> {
  const root = await realpath(mirrorRoot).catch(() => mirrorRoot);
  const found = await Promise.all(
    borrowedFolders.map(async (folder) => {
      const real = await realpath(folder).catch(() => null);
      return real === null || isInside(root, real) ? [] : [folder];
    }),
  );
  return found.flat();
}

async function requireFile(path: string): Promise<void> {
  if ((await stat(path).catch(() => null)) !== null) return;
  throw new AppError('agent_failed', `The credential file ${path} does not exist.`, {
    hint: 'Create it, or take it out of sandbox.credential_files in WORKFLOW.md.',
  });
}

/** A folder around workspaces or mirrors would open those of other issues, too. */
async function checkWritable(folder: string, { workspacePath, mirrorRoot }: VisibilityInput): Promise<void> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) {
    throw new AppError('agent_failed', `The folder ${folder} of sandbox.writable_folders does not exist.`, {
      hint: 'Create it, or take it out of sandbox.writable_folders in WORKFLOW.md.',
    });
  }
  const held = [workspacePath, mirrorRoot].find((place) => isInside(place, folder) || isInside(place, real));
  if (held === undefined) return;
  throw new AppError('agent_failed', `sandbox.writable_folders has ${folder}, which holds ${held}.`, {
    hint: 'List only what the agent shall change besides its workspace, such as the bare repository it pushes to.',
  });
}
