import type { Config } from '../config.ts';
import { lineOf, type Overrides, Resolution } from '../resolve/context.ts';
import type { Provenance } from '../resolve/provenance.ts';
import { resolveConfig } from '../resolve/resolve.ts';
import type { WorkflowFormat } from '../schema/workflow.ts';
import { convertToSchema } from './convert.ts';
import type { Environment } from './environment.ts';
import { type SplitWorkflow, splitFrontMatter } from './front-matter.ts';
import { isMap } from './is-map.ts';
import { type ConfigProblem, hideSecrets } from './problem.ts';
import { Report } from './report.ts';
import { validateWritten } from './validate.ts';
import { readYaml, type WrittenYaml } from './written-yaml.ts';

/** Far above any real file, and parsed in a fraction of a second. */
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_PROBLEMS = 100;

export interface Evaluation {
  /** Usable only when there are no problems; otherwise what could be made of the rest. */
  readonly config: Config;
  /** The keys that it was read by. */
  readonly format: WorkflowFormat;
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  readonly provenance: Provenance;
  /** Values that came from variables, and credentials written out: not to be printed as they are. */
  readonly fromVariables: ReadonlySet<string>;
  /** Whether settings were written at all. */
  readonly source: 'file' | 'prompt_only';
  /** The texts of the front matter as they are written, by dotted key. */
  readonly texts: ReadonlyMap<string, string>;
  /** The lines of the file that keys are written on, by dotted key. */
  readonly lines: ReadonlyMap<string, number>;
}

export interface EvaluateOptions {
  readonly format: WorkflowFormat;
  /** Absolute path of the file, for messages and relative paths. */
  readonly file: string;
  readonly environment: Environment;
  readonly overrides?: Overrides;
}

/** The text of a workflow file to settings. Pure but for path defaults of the machine; never throws. */
export function evaluateWorkflow(source: string, options: EvaluateOptions): Evaluation {
  const { file, environment, format } = options;
  const split = splitFrontMatter(source);
  const report = new Report(file, format);
  const written = readFrontMatter(split, report);
  const { value, unknown } = convertToSchema(format.schema, written);
  report.refusedKeys(written);
  report.unknownKeys(unknown, written);
  const validated = validateWritten(format.schema, value);
  for (const { key, message, hint } of validated.problems) {
    report.problem({ line: lineOf(written.lines, key), key, message, hint });
  }
  const at = new Resolution(validated.written, {
    format,
    file,
    environment,
    overrides: options.overrides ?? {},
    raw: value,
    lines: written.lines,
    badKeys: report.problems.flatMap((problem) => problem.key ?? []),
  });
  const config = resolveConfig(at, { text: split.body, line: split.bodyLine });
  // Nothing can be said about keys that could not be read.
  const found = report.unreadable ? { problems: [], warnings: [] } : at;
  const finish = (problems: readonly ConfigProblem[]) =>
    limit(problems.map((problem) => hideSecrets(problem, at.hidden)).sort(byLine));
  return {
    config,
    format,
    problems: finish([...report.problems, ...found.problems]),
    warnings: finish([...report.warnings, ...found.warnings]),
    provenance: at.provenance(),
    fromVariables: at.hidden,
    source: split.frontMatter === null || split.frontMatter.text.trim() === '' ? 'prompt_only' : 'file',
    texts: new Map(textsIn(value, '')),
    lines: written.lines,
  };
}

function textsIn(value: unknown, key: string): readonly (readonly [string, string])[] {
  if (typeof value === 'string') return [[key, value]];
  if (Array.isArray(value)) return value.flatMap((entry, index) => textsIn(entry, `${key}[${index}]`));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    textsIn(inner, key === '' ? name : `${key}.${name}`),
  );
}

const NOTHING: WrittenYaml = {
  readable: true,
  value: {},
  lines: new Map(),
  spellings: new Map(),
  faults: [],
};

function readFrontMatter(split: SplitWorkflow, report: Report): WrittenYaml {
  const { frontMatter } = split;
  if (frontMatter === null || frontMatter.text.trim() === '') return NOTHING;
  if (frontMatter.text.length > MAX_FRONT_MATTER) {
    const size = `${Math.round(frontMatter.text.length / 1024)} KiB`;
    report.unreadableBecause(1, `the front matter has ${size}; the limit is ${MAX_FRONT_MATTER / 1024} KiB`, {
      hint: frontMatter.closed ? 'Move long texts into the prompt or into scripts.' : UNCLOSED_HINT,
    });
    return NOTHING;
  }
  const written = readYaml(frontMatter.text, frontMatter.firstLine);
  if (!frontMatter.closed && !(written.readable && isMap(written.value))) {
    report.unreadableBecause(1, 'the front matter starts here and is never closed', { hint: UNCLOSED_HINT });
    return NOTHING;
  }
  if (!frontMatter.closed) {
    report.warning({
      line: 1,
      key: null,
      message: 'the front matter is never closed, so the file has no prompt',
      hint: UNCLOSED_HINT,
    });
  }
  for (const fault of written.faults) {
    if (written.readable) report.problem(fault);
    else report.unreadableBecause(fault.line, fault.message, fault);
  }
  if (written.value === null) return NOTHING;
  if (isMap(written.value)) return written;
  report.unreadableBecause(frontMatter.firstLine, 'the front matter is not a map of keys', {
    hint: 'Write keys and values, such as `tracker:` with indented keys below it.',
    code: 'workflow_front_matter_not_a_map',
  });
  return NOTHING;
}

const UNCLOSED_HINT = 'Put a line `---` between the settings and the prompt.';

/** A file that is wrong everywhere needs no full list. */
function limit(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const last = problems[MAX_PROBLEMS - 1];
  if (last === undefined || problems.length === MAX_PROBLEMS) return problems;
  const rest = problems.length - MAX_PROBLEMS;
  const more = { line: null, key: null, message: `there are ${rest} more`, hint: 'Fix these first.' };
  return [...problems.slice(0, MAX_PROBLEMS), { ...last, ...more }];
}

function byLine(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
}
