import { type Command, Help, type Option } from 'commander';
import { AppError } from '../errors/app-error.ts';

interface GlobalFlags {
  readonly workflow?: string;
}

/** The one option that every command takes, before or after its name. */
export function addWorkflowOption(program: Command): Command {
  return program
    .option(
      '-w, --workflow <path>',
      'the workflow file or its folder (default: $AIOPS_WORKFLOW_PATH, then ./WORKFLOW.md)',
    )
    .configureHelp({ showGlobalOptions: true, optionDescription, subcommandTerm });
}

/** What a command takes is in its own help. */
function subcommandTerm(command: Command): string {
  return [command.name(), ...command.aliases()].join(', ');
}

/** A flag that is off unless it is given goes without saying. */
function optionDescription(option: Option): string {
  return option.defaultValue === false ? option.description : new Help().optionDescription(option);
}

/** The workflow that the command line names: by the option, or by the argument where a command has one. */
export function namedWorkflow(command: Command, argument?: string): string | undefined {
  const { workflow } = command.optsWithGlobals<GlobalFlags>();
  if (workflow === undefined || argument === undefined || workflow === argument) return workflow ?? argument;
  throw new AppError('usage', `two workflows are named: ${argument} and --workflow ${workflow}`, {
    hint: 'Name one of them.',
  });
}
