/**
 * How a documented command is run: beside an idle project (the default), while a worker runs, in a folder that `aiops init` has
 * not seen, in this repository, where npm finds a registry, where issues are on a forge or in Linear, in a terminal of its own, or
 * until it says something and is then interrupted. `elsewhere` is not run here, for a reason.
 */
export type Way =
  | {
      readonly place:
        | 'idle'
        | 'working'
        | 'fresh'
        | 'demo'
        | 'checkout'
        | 'registry'
        | 'forge'
        | 'github'
        | 'linear';
      readonly code: number;
    }
  /** Until a board is on the screen, in which `q` is then pressed. */
  | { readonly place: 'terminal'; readonly code: number }
  | { readonly place: 'long' | 'demo'; readonly code: number; readonly until: string }
  /** The same beside a running worker; null: it dies of the interrupt, as `tail -f` does. */
  | { readonly place: 'following'; readonly code: number | null; readonly until: string }
  | { readonly place: 'elsewhere'; readonly why: string };

const working = (code = 0): Way => ({ place: 'working', code });
const fresh = (code = 0): Way => ({ place: 'fresh', code });
const long = (until: string): Way => ({ place: 'long', code: 0, until });
const at = (place: 'checkout' | 'registry' | 'forge' | 'github' | 'linear' | 'terminal'): Way => ({
  place,
  code: 0,
});
const following = (until: string, code: number | null): Way => ({ place: 'following', code, until });
const elsewhere = (why: string): Way => ({ place: 'elsewhere', why });

const READY = 'worker ready';

/** Everything that is not simply run beside an idle project, where it has to end with 0. */
export const WAYS: Readonly<Record<string, Way>> = {
  'npm test': elsewhere('it is what runs this test'),
  'npm run demo': at('checkout'),
  'npm run build && npm link': at('checkout'),
  'npm install @anthropic-ai/claude-agent-sdk': at('registry'),
  'npm install -g @anthropic-ai/claude-agent-sdk': at('registry'),
  'npm install -g @opentelemetry/api @opentelemetry/resources@2 @opentelemetry/sdk-trace@2 @opentelemetry/exporter-trace-otlp-http@0.223':
    at('registry'),
  'aiops demo': { place: 'demo', code: 0 },
  'aiops demo --keep-running': { place: 'demo', code: 130, until: 'Still running' },
  'aiops labels sync': at('forge'),
  'aiops labels sync --dry-run': at('forge'),
  'aiops worker --tui': at('terminal'),
  'aiops tui': at('terminal'),
  'aiops tui --url http://127.0.0.1:4000': at('terminal'),
  'aiops tui --once': working(),

  'cd ~/my-project': fresh(),
  'cd my-project': { place: 'idle', code: 0 },
  'aiops init --yes --tracker local --agent mock': fresh(),
  'aiops init --dry-run': fresh(),
  // The agent of the test is not signed in: the file is written, and the check of the agent fails.
  'aiops init --yes --agent codex --tracker local --repo ../project --verify "make test"': fresh(1),

  'aiops worker': long(READY),
  'aiops worker --port 4100 --log-level debug': long(READY),
  'aiops worker --log-file worker.log --log-file-size 5M': long(READY),
  'aiops worker path/to/WORKFLOW.md': long(READY),
  'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 aiops worker': long(READY),
  'aiops issues --explain --watch': long('TASK-1'),

  'aiops status': working(),
  'aiops status TASK-1': working(),
  'aiops status --json': working(),
  'aiops status --watch --interval 5': following('running', 0),
  'aiops logs TASK-1 --follow': following('turn_started', null),
  'aiops workers': working(),
  'aiops workers --json': working(),
  'aiops open': working(),
  'aiops open --print': working(),
  'aiops pause': working(),
  'aiops resume': working(),
  // The issue of the project asks nothing: 5 says so.
  'aiops answer TASK-1 "Take the second one."': working(5),
  'aiops answer TASK-1 - < answer.md': working(5),
  'aiops message TASK-1 "Please look at the tests, too."': working(),
  'aiops clear-stop TASK-1': working(),
  'aiops stop TASK-1': working(),
  'aiops push TASK-1': working(),
  'aiops retry TASK-1': working(),
  'aiops retry TASK-1 --reset-budget': working(),
  'aiops unblock TASK-1': working(),
  "curl -X POST -H 'X-AIOPS-Refresh: true' http://127.0.0.1:4000/api/v1/refresh": working(),
};

/** By how they begin, as their lines are long. */
const BEGINNINGS: readonly (readonly [string, Way])[] = [
  ['token=$(jq -r .token', working()],
  ['body="{\\"sent\\"', at('github')],
  ['body="{\\"type\\"', at('linear')],
];

export function wayOf(text: string): Way {
  const begun = BEGINNINGS.find(([start]) => text.startsWith(start));
  return WAYS[text] ?? begun?.[1] ?? { place: 'idle', code: 0 };
}
