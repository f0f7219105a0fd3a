import { z } from 'zod';
import { type ToolEffect, type ToolResult, type ToolSpec, toolFailure } from '../domain/tool.ts';
import { AppError, messageOf } from '../errors/app-error.ts';
import { redactTexts } from '../observability/redact-texts.ts';
import type { RunTools, ToolContext } from './run-tools.ts';

export interface Tool {
  readonly spec: ToolSpec;
  /** Throws a ToolRefusal or an AppError when it does nothing. */
  run(input: unknown, context: ToolContext): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  readonly output: unknown;
  /** What the call changed, when it changed something. */
  readonly effect?: ToolEffect;
}

/** Why a call was not carried out, in words for the agent. */
export class ToolRefusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ToolSetOptions {
  readonly tools: readonly Tool[];
  readonly secretEnvironmentNames: readonly string[];
  /** Takes the credential out of a text; used on what goes in and on what comes out. */
  redact(text: string): string;
}

/** The port's tools, made of single ones: whatever happens becomes a result. */
export function createToolSet({ tools, secretEnvironmentNames, redact }: ToolSetOptions): RunTools {
  const byName = new Map(tools.map((tool) => [tool.spec.name, tool]));

  async function attempt(name: string, input: unknown, context: ToolContext): Promise<ToolResult> {
    const tool = byName.get(name);
    if (tool === undefined) {
      const known = [...byName.keys()].join(', ');
      return toolFailure('unsupported_tool', `There is no tool ${JSON.stringify(name)}. Tools: ${known}.`);
    }
    if (context.signal.aborted) return stopped();
    try {
      return { success: true, ...(await tool.run(redactTexts(input, redact), context)) };
    } catch (error) {
      if (context.signal.aborted) return stopped();
      const isForAgent = error instanceof ToolRefusal || error instanceof AppError;
      return isForAgent
        ? toolFailure(error.code, error.message)
        : toolFailure('internal_error', `${name} failed: ${messageOf(error)}`);
    }
  }

  return {
    specs: tools.map((tool) => tool.spec),
    secretEnvironmentNames,
    execute: async (call, context) => redactTexts(await attempt(call.name, call.arguments, context), redact),
  };
}

function describe(schema: z.ZodType): ToolSpec['inputSchema'] {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io: 'input' });
  return described;
}

/** A tool whose arguments are checked by a schema, which also describes them to the agent. */
export function defineTool<Schema extends z.ZodType>(
  name: string,
  description: string,
  schema: Schema,
  run: (input: z.output<Schema>, context: ToolContext) => Promise<ToolAnswer>,
): Tool {
  let described: ToolSpec['inputSchema'] | null = null;
  return {
    spec: {
      name,
      description,
      /** Made for the first run: a worker's start has no use for it. */
      get inputSchema() {
        described ??= describe(schema);
        return described;
      },
    },
    async run(input, context) {
      const parsed = schema.safeParse(input);
      if (parsed.success) return run(parsed.data, context);
      const problems = parsed.error.issues.map(({ path, message }) =>
        [path.join('.'), message].filter(Boolean).join(' '),
      );
      throw new ToolRefusal('invalid_arguments', `The arguments are not valid: ${problems.join('; ')}.`);
    },
  };
}

function stopped(): ToolResult {
  return toolFailure('aborted', 'The run is being stopped; nothing was changed.');
}
