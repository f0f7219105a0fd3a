import type { Issue, IssueId, RefreshOutcome } from '../../../src/domain/issue.ts';
import type { ToolCall } from '../../../src/domain/tool.ts';
import { AppError } from '../../../src/errors/app-error.ts';
import type { ToolContext } from '../../../src/tools/run-tools.ts';
import type { Tracker } from '../../../src/trackers/tracker.ts';

/** A tracker in memory that writes down what it is asked and can be told to fail. */
export class FakeTracker implements Tracker {
  readonly kind = 'fake';
  readonly changes = null;
  readonly issues = new Map<IssueId, Issue>();
  readonly calls: string[] = [];
  readonly toolCalls: { readonly call: ToolCall; readonly context: ToolContext }[] = [];
  failing = false;
  readonly tools: {
    specs: Tracker['tools']['specs'];
    secretEnvironmentNames: readonly string[];
    execute: Tracker['tools']['execute'];
  };

  constructor(toolName = 'issue_move') {
    this.tools = {
      specs: [{ name: toolName, description: 'A tool.', inputSchema: { type: 'object' } }],
      secretEnvironmentNames: ['FAKE_TRACKER_TOKEN'],
      execute: async (call, context) => {
        this.toolCalls.push({ call, context });
        return { success: true, output: { by: toolName } };
      },
    };
  }

  put(...issues: readonly Issue[]): void {
    for (const issue of issues) this.issues.set(issue.id, issue);
  }

  async fetchIssuesByStates(states: readonly string[]): Promise<readonly Issue[]> {
    this.calls.push(`list ${states.join(', ')}`);
    this.#answer();
    return [...this.issues.values()].filter(({ state }) => states.includes(state));
  }

  async fetchIssuesByIds(ids: readonly IssueId[]): Promise<ReadonlyMap<IssueId, RefreshOutcome>> {
    this.calls.push(`refresh ${ids.join(', ')}`);
    this.#answer();
    return new Map(
      ids.map((id) => {
        const issue = this.issues.get(id);
        return [id, issue === undefined ? { kind: 'absent' } : { kind: 'current', issue }];
      }),
    );
  }

  #answer(): void {
    if (this.failing) throw new AppError('tracker_request', 'the tracker does not answer');
  }
}
