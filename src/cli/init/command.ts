import type { Command } from 'commander';
import type { CliIo } from '../io.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { AGENTS, type InitFlags, TRACKERS } from './flags.ts';
import { runInit } from './run-init.ts';

/** `aiops init`: from a repository to a workflow file that works. */
export function registerInitCommand(program: Command, io: CliIo, finish: (exitCode: number) => void): void {
  const collect = (command: string, before: readonly string[] | undefined) => [...(before ?? []), command];
  program
    .command('init')
    .description('write a WORKFLOW.md for this repository, and check that it works')
    .option('--path <path>', 'the file to write, or its folder (default: ./WORKFLOW.md)')
    .option('--repo <path|url>', 'the repository agents work in (default: the remote of the current one)')
    .option('--branch <name>', 'the branch that work starts from (default: that of the remote)')
    .option('--tracker <kind>', `where the issues are: ${Object.keys(TRACKERS).join(', ')}`)
    .option('--endpoint <url>', 'the address of the tracker, if it is not that of the repository')
    .option(
      '--project <name>',
      'the project in Linear, or owner/name of the repository whose issues are read',
    )
    .option('--issues <folder>', 'the folder of issues of the local tracker (default: issues)')
    .option('--ready-state <name>', 'the state in which an agent takes an issue (Linear)')
    .option('--review-state <name>', 'the state for finished work that a person looks at (Linear)')
    .option('--agent <name>', `who does the work: ${Object.keys(AGENTS).join(', ')}`)
    .option('--verify <command>', 'a command that a change has to pass; may be given several times', collect)
    .option('--no-verify', 'no such command')
    .option('--example', 'write a first issue to try it with (local tracker)')
    .option('--no-example', 'do not ask about one')
    .option('--labels', 'create the labels for states that the repository lacks (GitHub, Gitea, Forgejo)')
    .option('--no-labels', 'do not create labels')
    .option('--gh-token', 'use the token of `gh` for the checks when GITHUB_TOKEN is not set')
    .option('--no-gh-token', 'do not look for it')
    .option('--offline', 'ask no server')
    .option('--dry-run', 'print the file and write nothing')
    .option('--force', 'replace a file that is there, and keep a backup of it')
    .option('-y, --yes', 'ask nothing: take what was found')
    .addHelpText(
      'after',
      '\nWithout a terminal nothing is asked either; what cannot be found out is an error that names its flag.' +
        '\nTokens are never written into the file: it names variables of the environment.' +
        '\nExit code: 0 when the checks passed, 1 when one failed (the file is there), 2 when something has to be said, 130 when cancelled.',
    )
    .action(async (flags: Partial<InitFlags>, command: Command) => {
      const path = namedWorkflow(command, flags.path);
      finish(await runInit(withDefaults({ ...flags, ...(path === undefined ? {} : { path }) }), io));
    });
}

function withDefaults(flags: Partial<InitFlags>): InitFlags {
  return { yes: false, force: false, dryRun: false, offline: false, ...flags };
}
