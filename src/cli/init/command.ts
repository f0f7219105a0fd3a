import type { Command } from 'commander';
import { TRACKER_KINDS } from '../../trackers/registry.ts';
import { examplesText } from '../examples.ts';
import type { CliIo } from '../io.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { AGENT_NAMES, type InitFlags, TRACKER_NAMES } from './flags.ts';
import { TRACKERS, trackerNamed } from './kinds.ts';
import { runInit } from './run-init.ts';

/** `aiops init`: from a repository to a workflow file that works. */
export function registerInitCommand(program: Command, io: CliIo, finish: (exitCode: number) => void): void {
  const init = program
    .command('init')
    .description('write a WORKFLOW.md for this repository, and check that it works')
    .option('--path <path>', 'the file to write, or its folder (default: ./WORKFLOW.md)')
    .option('--repo <path|url>', 'the repository agents work in (default: the remote of the current one)')
    .option('--branch <name>', 'the branch that work starts from (default: that of the remote)');
  addTrackerOptions(init);
  addAgentOptions(init);
  addSetUpOptions(init);
  init
    .option('--offline', 'ask no server')
    .option('--dry-run', 'print the file and write nothing')
    .option('--force', 'replace a file that is there, and keep a backup of it')
    .option('-y, --yes', 'ask nothing: take what was found')
    .option(
      '--json',
      'ask nothing, print what was done and found as JSON, and the rest to standard error',
      false,
    )
    .addHelpText(
      'after',
      `${examplesText('aiops init', 'aiops init --yes --tracker local --agent mock', 'aiops init --dry-run')}` +
        '\nWithout a terminal nothing is asked either; what cannot be found out is an error that names its flag.' +
        '\nTokens are never written into the file: it names variables of the environment.' +
        '\nExit code: 0 when the checks passed, 1 when one failed (the file is there), 2 when something has to be said, 130 when cancelled.',
    )
    .action(async (flags: Partial<InitFlags>, command: Command) => {
      const path = namedWorkflow(command, flags.path);
      finish(await runInit(withDefaults({ ...flags, ...(path === undefined ? {} : { path }) }), io));
    });
}

function addTrackerOptions(init: Command): void {
  const projects = new Set(TRACKER_KINDS.flatMap(({ setup: { project } }) => project ?? []));
  init
    .option('--tracker <kind>', `where the issues are: ${[...TRACKER_NAMES.keys()].join(', ')}`)
    .option('--endpoint <url>', 'the address of the tracker, if it is not that of the repository')
    .option('--project <name>', [...projects].join(', or '));
  for (const { setup } of TRACKERS) for (const { name, text } of setup.flags ?? []) init.option(name, text);
}

function addAgentOptions(init: Command): void {
  const collect = (command: string, before: readonly string[] | undefined) => [...(before ?? []), command];
  init
    .option('--agent <name>', `who does the work: ${[...AGENT_NAMES.keys()].join(', ')}`)
    .option('--verify <command>', 'a command that a change has to pass; may be given several times', collect)
    .option('--no-verify', 'no such command');
}

function addSetUpOptions(init: Command): void {
  const folders = TRACKERS.filter(({ settings }) => settings.scope.isFolder).map(({ kind }) => kind);
  const labelled = [...TRACKER_NAMES].filter(([, kind]) => trackerNamed(kind).states === 'labels');
  const labels = labelled.map(([name]) => name).join(', ');
  init
    .option('--example', `write a first issue to try it with (${folders.join(', ')} tracker)`)
    .option('--no-example', 'do not ask about one')
    .option('--labels', `create the labels for states that the repository lacks (${labels})`)
    .option('--no-labels', 'do not create labels');
  for (const { setup } of TRACKERS) {
    const { lender, variables } = setup.token ?? {};
    if (lender === undefined) continue;
    const [flag, use] = [`${lender.program}-token`, `use the token of \`${lender.program}\` for the checks`];
    init
      .option(`--${flag}`, `${use} when ${variables?.[0]} is not set`)
      .option(`--no-${flag}`, 'do not look for it');
  }
}

function withDefaults(flags: Partial<InitFlags>): InitFlags {
  return { yes: false, force: false, dryRun: false, offline: false, json: false, ...flags, all: flags };
}
