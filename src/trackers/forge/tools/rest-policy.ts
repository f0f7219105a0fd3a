import type { z } from 'zod';
import { type Repository, repositoryKey } from '../../../domain/repository.ts';
import type { ToolEffect } from '../../../domain/tool.ts';
import { ToolRefusal } from '../../../tools/tool-kit.ts';
import type { LabelStates } from '../states/label-states.ts';

import { parseNumber, parsePath } from './rest-path.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One kind of request an agent may send. Parts of a template that start with a colon: `:owner` and `:repo` are the
 * run's repository, `:own` is its issue, `:pull` a pull request that must belong to the run when the request writes,
 * `:number` any number, `:ref` a branch or commit, `:label` a label that is not a state.
 */
export interface RestRule {
  readonly method: Method;
  readonly template: string;
  readonly params?: readonly string[];
  readonly body?: z.ZodType;
  readonly effect?: (answer: unknown) => ToolEffect | null;
}

export interface RestScope {
  readonly repository: Repository;
  readonly number: number;
  readonly states: LabelStates;
  /** Labels by which people vouch for an issue: no agent gives or takes them. */
  readonly vouching: readonly string[];
  /** Prefixes of the API that a path may be written with. */
  readonly prefixes: readonly string[];
}

export interface RestInput {
  readonly method: string;
  readonly path: string;
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
  readonly body?: unknown;
}

/** A request that passed; its path is built anew from what was understood. */
export interface AllowedRequest {
  readonly rule: RestRule;
  readonly method: Method;
  readonly path: string;
  readonly body: unknown;
  /** A pull request that must be checked to be the run's own before the request is sent. */
  readonly pullRequest: number | null;
}

/** Refuses everything that no rule describes. */
export function authorise(input: RestInput, rules: readonly RestRule[], scope: RestScope): AllowedRequest {
  const method = input.method.trim().toUpperCase();
  const segments = parsePath(input.path, scope.prefixes);
  const candidates = rules.filter((rule) => rule.method === method);
  for (const rule of candidates) {
    const match = matchTemplate(rule.template, segments, scope);
    if (match === null) continue;
    const query = readParams(input.params ?? {}, rule);
    const body = readBody(input.body, rule);
    const path = `/${match.parts.join('/')}${query === '' ? '' : `?${query}`}`;
    return { rule, method: rule.method, path, body, pullRequest: match.pullRequest };
  }
  throw notAllowed(method, segments, rules, scope);
}

interface Match {
  readonly parts: readonly string[];
  readonly pullRequest: number | null;
}

function matchTemplate(template: string, segments: readonly string[], scope: RestScope): Match | null {
  const wanted = template.split('/').slice(1);
  if (wanted.length !== segments.length) return null;
  const parts: string[] = [];
  let pullRequest: number | null = null;
  for (const [index, part] of wanted.entries()) {
    const value = matchPart(part, segments[index] ?? '', scope);
    if (value === null) return null;
    if (part === ':pull') pullRequest = Number(value);
    parts.push(encodeURIComponent(value));
  }
  return { parts, pullRequest };
}

function matchPart(part: string, value: string, scope: RestScope): string | null {
  switch (part) {
    case ':owner':
      return value.toLowerCase() === scope.repository.owner.toLowerCase() ? scope.repository.owner : null;
    case ':repo':
      return value.toLowerCase() === scope.repository.name.toLowerCase() ? scope.repository.name : null;
    case ':own':
      return parseNumber(value) === scope.number ? value : null;
    case ':pull':
    case ':number':
      return parseNumber(value) === null ? null : value;
    case ':ref':
      return /^[\w][\w./+@-]{0,250}$/.test(value) && !value.includes('..') ? value : null;
    case ':label':
      return value.includes('/') || isGuarded(value, scope) ? null : value;
    default:
      return value === part ? value : null;
  }
}

/** Lower-case and trimmed, as rules are written. */
export function isGuarded(
  label: string,
  { states, vouching }: Pick<RestScope, 'states' | 'vouching'>,
): boolean {
  return states.isStateLabel(label) || vouching.includes(label.trim().toLowerCase());
}

function readParams(params: Readonly<Record<string, unknown>>, rule: RestRule): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (rule.params?.includes(name) !== true) {
      throw new ToolRefusal('not_allowed', `The parameter ${JSON.stringify(name)} is not allowed here.`);
    }
    if (!['string', 'number', 'boolean'].includes(typeof value) || String(value).length > 500) {
      throw new ToolRefusal('invalid_arguments', `The parameter ${name} must be a short text or a number.`);
    }
    query.append(name, String(value));
  }
  return query.toString();
}

function readBody(body: unknown, rule: RestRule): unknown {
  if (rule.body === undefined) {
    const isEmpty = body === undefined || body === null;
    if (!isEmpty) throw new ToolRefusal('not_allowed', 'This request takes no body.');
    return undefined;
  }
  const parsed = rule.body.safeParse(body);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) =>
    [path.join('.'), message].filter(Boolean).join(' '),
  );
  throw new ToolRefusal('not_allowed', `The body is not allowed: ${problems.join('; ')}.`);
}

function notAllowed(
  method: string,
  segments: readonly string[],
  rules: readonly RestRule[],
  scope: RestScope,
): ToolRefusal {
  const shown = `${method} /${segments.join('/')}`.slice(0, 200);
  const allowed = rules.map((rule) => `${rule.method} ${rule.template}`).join(', ');
  return new ToolRefusal(
    'not_allowed',
    `${JSON.stringify(shown)} is not allowed: a run may touch only its own issue #${scope.number} in ` +
      `${repositoryKey(scope.repository)}. To change its state use issue_move. Allowed: ${allowed}.`,
  );
}
