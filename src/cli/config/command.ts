import type { Command } from 'commander';
import { examplesText, withExamples } from '../examples.ts';
import type { CliIo } from '../io.ts';
import type { RegisterCommand } from '../register-command.ts';
import { namedWorkflow } from '../workflow-option.ts';
import { type CheckFlags, checkConfig } from './check.ts';

export const registerConfigCommand: RegisterCommand<
  Pick<CliIo, 'stdout' | 'stderr' | 'environment' | 'cwd'>
> = (program, io, finish) => {
  const config = program.command('config').description('check a workflow file, or print its schema');
  config
    .command('check')
    .description('load workflow files and say everything that is wrong or doubtful')
    .argument('[paths...]', 'files or folders (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)')
    .option('--json', 'print the findings as JSON', false)
    .option('--strict', 'treat warnings as errors', false)
    .addHelpText(
      'after',
      `${examplesText('aiops config check', 'aiops config check --strict --json')}` +
        '\nThe prompt is rendered with sample issues. Several files are also checked for directories they must not share.' +
        '\nExit code: 0 when all files load, 1 when not.',
    )
    .action(async (paths: string[], flags: CheckFlags, command: Command) => {
      const named = namedWorkflow(command);
      const all = named === undefined || paths.includes(named) ? paths : [named, ...paths];
      finish(await checkConfig(all, flags, io));
    });
  withExamples(config.command('schema'), 'aiops config schema > workflow.schema.json')
    .description('print the JSON Schema of the front matter, for editors')
    .action(async () => {
      const { workflowJsonSchema } = await import('../../config/show/json-schema.ts');
      const { WORKFLOW_FORMAT } = await import('../workflow-file.ts');
      io.stdout(workflowJsonSchema(WORKFLOW_FORMAT));
      finish(0);
    });
};
