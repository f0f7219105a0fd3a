import { stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { WORKFLOW_FILE } from '../../config/read/workflow-path.ts';
import { AppError } from '../../errors/app-error.ts';
import { EXIT } from '../../errors/exit-codes.ts';
import type { Asking, Questions } from '../../trackers/tracker-setup.ts';
import { runDoctor } from '../doctor/command.ts';
import type { CliIo } from '../io.ts';
import { jsonText } from '../json-text.ts';
import { InitCancelled, openQuestions } from './ask.ts';
import { decidePlan } from './decide/decide-plan.ts';
import type { Plan } from './decide/plan.ts';
import { type Found, findFacts } from './detect/find-facts.ts';
import { lenderFlag } from './detect/lent-token.ts';
import { describeNextSteps, missingVariables } from './finish/next-steps.ts';
import { prepareIssues, prepareLabels } from './finish/set-up.ts';
import { describeNotes, describePlan } from './finish/summary.ts';
import type { InitFlags } from './flags.ts';
import { trackerNamed } from './kinds.ts';
import { renderWorkflow } from './write/render.ts';
import { INSTALLED_SCHEMA, schemaFor } from './write/schema-line.ts';
import { showChanges } from './write/show-changes.ts';
import { readExisting, writeWorkflow } from './write/write-workflow.ts';

/** `aiops init`: looks around, asks what it cannot find out, writes the workflow file, and checks it. Gives the exit code. */
export async function runInit(flags: InitFlags, io: CliIo): Promise<number> {
  if (!flags.json) return setUp(flags, io, () => {});
  let report: InitReport = { path: '', done: 'kept', backup: null, text: null, checks: null };
  const code = await setUp({ ...flags, yes: true }, { ...io, stdout: io.stderr }, (more) => {
    report = { ...report, ...more };
  });
  io.stdout(jsonText(report));
  return code;
}

/** What `--json` prints. */
interface InitReport {
  readonly path: string;
  readonly done: 'written' | 'unchanged' | 'kept' | 'dry_run';
  /** Where the file that was there is now. */
  readonly backup: string | null;
  /** What the file holds, or would hold; null where a file was kept. */
  readonly text: string | null;
  /** What `aiops doctor --json` prints; null where nothing was checked. */
  readonly checks: unknown;
}

type Report = (more: Partial<InitReport>) => void;

async function setUp(flags: InitFlags, io: CliIo, report: Report): Promise<number> {
  const { terminal = null } = io;
  const questions = flags.yes || terminal === null ? null : await openQuestions(terminal);
  const path = await workflowPathOf(flags.path, io.cwd);
  report({ path });
  const existing = await readExisting(path);
  try {
    if (existing !== null && !flags.force) {
      const replaces = await asksToReplace(path, flags, questions);
      if (!replaces) return await keepExisting(path, flags, io, report);
    }
    if (questions !== null) io.stderr('Looking at this folder, its remote and your agents…\n');
    const found = await findFacts(flags, io, path, questions);
    const plan = await decidePlan(
      found.facts,
      flags,
      askingWith(questions, flags, io),
      schemaFor(path, INSTALLED_SCHEMA),
    );
    const text = renderWorkflow(plan);
    report({ text });
    if (flags.dryRun) {
      report({ done: 'dry_run' });
      if (!flags.json) io.stdout(text);
      return 0;
    }
    io.stdout(describePlan(plan, found.facts));
    if (existing !== null && existing !== text) io.stdout(await showChanges(path, text, io));
    const backup = existing === text ? null : await writeWorkflow(path, text, existing);
    report({ done: existing === text ? 'unchanged' : 'written', backup });
    io.stdout(`Wrote ${path}${backup === null ? '' : ` (the old one is ${backup})`}\n`);
    return await finish(path, plan, found, flags, questions, io, report);
  } catch (error) {
    if (!(error instanceof InitCancelled)) throw error;
    io.stderr('Cancelled. Run `aiops init` again to go on.\n');
    return EXIT.interrupted;
  }
}

async function finish(
  path: string,
  plan: Plan,
  found: Found,
  flags: InitFlags,
  questions: Questions | null,
  io: CliIo,
  report: Report,
): Promise<number> {
  const { facts } = found;
  const environment = await borrowToken(plan, found, flags, questions, io);
  const here = { ...io, environment };
  const writesIssues = typeof plan.tracker.firstIssue === 'object';
  const hasIssue = writesIssues && (await prepareIssues(path, flags, questions, here));
  const lacksLabels = await prepareLabels(path, plan, flags, questions, here);
  const code = await check(path, flags, here, report);
  const folder = facts.repository?.folder ?? null;
  const isInRepository = folder !== null && !relative(folder, path).startsWith('..');
  io.stdout(`\n${describeNotes(plan, facts, isInRepository)}`);
  const outcome = { plan, facts, hasIssue, lacksLabels, checksFailed: code !== 0 };
  io.stdout(describeNextSteps({ ...outcome, workflowArgument: argumentFor(path, io.cwd) }));
  return code;
}

/** What the doctor says of the file, to a person or for the report. */
async function check(path: string, { json, offline }: InitFlags, io: CliIo, report: Report): Promise<number> {
  if (!json) io.stdout('\nChecks:\n');
  let printed = '';
  const collect = (text: string): void => {
    printed += text;
  };
  const code = await runDoctor(path, { json, offline }, json ? { ...io, stdout: collect } : io);
  if (json) report({ checks: JSON.parse(printed) });
  return code;
}

/** With the token of a tracker's program for what is left to do, where that is wanted; the file and the worker never see it. */
async function borrowToken(
  plan: Plan,
  { facts, lent }: Found,
  flags: InitFlags,
  questions: Questions | null,
  io: CliIo,
): Promise<CliIo['environment']> {
  const token = lent === null ? null : trackerNamed(lent.kind).setup.token;
  const name = missingVariables(plan, facts.variables).find((variable) =>
    token?.variables.includes(variable),
  );
  if (lent === null || token?.lender === undefined || name === undefined) return io.environment;
  const flag = flags.all[lenderFlag(token.lender)];
  const question = `${name} is not set. Use the token of \`${lent.program}\` for the checks now?`;
  const wanted = flag === true || ((await questions?.confirm(question, true)) ?? flags.yes);
  return wanted ? { ...io.environment, [name]: lent.token } : io.environment;
}

async function asksToReplace(
  path: string,
  { dryRun }: InitFlags,
  questions: Questions | null,
): Promise<boolean> {
  if (dryRun) return true;
  if (questions === null) return false;
  const answer = await questions.choose(`${path} is there already.`, [
    { value: 'keep', label: 'Keep it', hint: 'and run the checks' },
    { value: 'replace', label: 'Write a new one', hint: 'the old one is kept as a backup' },
  ]);
  return answer === 'replace';
}

/** Nothing is changed: says what would be, and checks what there is. */
async function keepExisting(path: string, flags: InitFlags, io: CliIo, report: Report): Promise<number> {
  io.stdout(`${path} is there already and stays as it is; --force writes a new one and keeps a backup.\n`);
  try {
    const { facts } = await findFacts(flags, io, path, null);
    const text = renderWorkflow(
      await decidePlan(facts, flags, askingWith(null, flags, io), schemaFor(path, INSTALLED_SCHEMA)),
    );
    const changes = await showChanges(path, text, io);
    io.stdout(changes === '' ? 'A new one would be the same.\n' : `What would change:\n${changes}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    io.stdout(`What a new one would hold cannot be said: ${error.message} ${error.hint ?? ''}\n`);
  }
  const code = await check(path, flags, io, report);
  const argument = argumentFor(path, io.cwd);
  if (code === 0) io.stdout(`\nNext:\n  aiops worker${argument === '' ? '' : ` ${argument}`}\n`);
  return code;
}

async function workflowPathOf(given: string | undefined, cwd: string): Promise<string> {
  const path = resolve(cwd, given ?? WORKFLOW_FILE);
  const isFolder = (await stat(path).catch(() => null))?.isDirectory() === true;
  return isFolder || given?.endsWith('/') === true ? join(path, WORKFLOW_FILE) : path;
}

/** What a command needs to find the file from here; empty when it finds it by itself. */
function argumentFor(path: string, cwd: string): string {
  if (path === join(cwd, WORKFLOW_FILE)) return '';
  const way = relative(cwd, path);
  return /[^\w./-]/.test(way) ? `'${way.replaceAll("'", `'\\''`)}'` : way;
}

function askingWith(questions: Questions | null, { offline }: InitFlags, io: CliIo): Asking {
  return { questions, offline, environment: io.environment, tell: io.stderr };
}
