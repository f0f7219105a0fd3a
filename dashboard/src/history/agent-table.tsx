import { formatCost, formatCount, formatDuration } from '../../../src/contract/format.ts';
import type { AgentTotals } from './derive-history.ts';
import { TableScroll } from './table-scroll.tsx';

export function AgentTable({ agents }: { agents: readonly AgentTotals[] }) {
  return (
    <section className="section" aria-labelledby="agents-title">
      <h3 id="agents-title" className="section-heading">
        By agent and profile
      </h3>
      <TableScroll label="Agents and profiles, numbers">
        <table className="agents">
          <thead>
            <tr>
              {['Agent', 'Profile', 'Runs', 'Delivered', 'Tokens', 'Cost', 'Agent time'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agents.map((row) => (
              <tr key={`${row.agent} ${row.profile}`}>
                <th scope="row">{row.agent}</th>
                <td>{row.profile === '' ? 'default' : row.profile}</td>
                <td>{row.runs}</td>
                <td>
                  {row.delivered} ({Math.round((row.delivered / row.runs) * 100)} %)
                </td>
                <td>{formatCount(row.tokens)}</td>
                <td>{row.costUsd === 0 ? 'not told' : formatCost(row.costUsd)}</td>
                <td>{formatDuration(row.seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
