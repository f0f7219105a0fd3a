import type { Issue } from '../domain/issue.ts';
import type { RetryKind } from '../domain/run-event.ts';
import { DEFAULT_TEMPLATE } from './default-template.ts';
import { createDelimiters } from './delimiters.ts';
import { directivesFor } from './directives.ts';
import { createEngine, type Engine } from './engine.ts';
import { templateError } from './template-error.ts';
import { templateVariables } from './variables.ts';

export interface PromptInput {
  /** The workflow's body; blank means the default prompt. */
  readonly template: string;
  readonly issue: Issue;
  /** Null on the first run of an issue, 1-based after that. */
  readonly attempt: number | null;
  readonly retryKind: RetryKind | null;
  /** Null when hooks fill the workspace. */
  readonly repo: PromptRepo | null;
  readonly trackerKind: string;
  readonly policyMode: string;
  readonly verifyCommands: readonly string[];
  /** The work branch, when there is one. */
  readonly branch: string | null;
  /** Line of the workflow file the template starts on, so that errors name lines of the file. */
  readonly firstLine?: number;
  /** Whether texts from outside are put between delimiters; the default prompt does so always. */
  readonly delimit: boolean;
  /** New for every prompt and unknown to whoever writes issues: names the delimiters. */
  readonly nonce: string;
}

export interface PromptRepo {
  readonly owner: string | null;
  readonly name: string | null;
  readonly defaultBranch: string;
}

export interface PromptRenderer {
  /** Throws `template_parse_error` or `template_render_error` with line and variable. */
  render(input: PromptInput): Promise<string>;
}

/** The template engine is loaded at the first use. Parsed templates are kept by their text, so a workflow is parsed once however many issues it serves. */
export function createPromptRenderer(): PromptRenderer {
  let engine: Promise<Engine> | null = null;
  return {
    async render(input) {
      const blank = input.template.trim() === '';
      const template = blank ? DEFAULT_TEMPLATE : input.template;
      engine ??= createEngine();
      const { parse, render } = await engine;
      const delimiters = createDelimiters(input.nonce);
      let body: string;
      try {
        // Issue texts are values, never template source: braces in them stay text.
        body = await render(parse(template, input.delimit), templateVariables(input), delimiters);
      } catch (error) {
        throw templateError(error, blank ? 1 : (input.firstLine ?? 1));
      }
      // Looked for in the template, not in the result: an issue text must not be able to switch a directive off.
      const directives = directivesFor(input).filter((directive) => !template.includes(directive));
      const explanation = delimiters.isIn(body) ? [delimiters.explanation] : [];
      return [...explanation, body.trim(), ...directives].join('\n\n');
    },
  };
}
