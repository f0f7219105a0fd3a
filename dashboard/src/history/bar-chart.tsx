import { useState } from 'react';
import { TableScroll } from './table-scroll.tsx';

export interface Bar {
  readonly label: string;
  /** In the order of the series. */
  readonly values: readonly number[];
  /** What the bar says when it is pointed at. */
  readonly told: string;
}

interface BarChartProps {
  readonly title: string;
  readonly series: readonly { readonly name: string; readonly tone: string }[];
  readonly bars: readonly Bar[];
  /** Shown while nothing is pointed at. */
  readonly summary: string;
  format(value: number): string;
}

const WIDTH = 640;
const HEIGHT = 150;

/** Bars over time; the same numbers are in a table below. */
export function BarChart({ title, series, bars, summary, format }: BarChartProps) {
  const [pointed, setPointed] = useState<string | null>(null);
  const told = bars.find(({ label }) => label === pointed)?.told ?? summary;
  const highest = Math.max(...bars.map(({ values }) => total(values)), 0);
  const width = WIDTH / Math.max(1, bars.length);
  return (
    <figure className="chart">
      <figcaption className="chart-title">
        {title} <span className="chart-told">{told}</span>
      </figcaption>
      <div className="chart-area">
        <span className="chart-top">{highest === 0 ? '' : format(highest)}</span>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${summary}`}
          onMouseLeave={() => setPointed(null)}
        >
          <line className="chart-line" x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
          {bars.map((bar, index) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: as above.
            <g key={bar.label} onMouseEnter={() => setPointed(bar.label)}>
              <rect className="chart-hit" x={index * width} y={0} width={width} height={HEIGHT} />
              {heights(bar.values, highest).map(({ y, height }, part) => (
                <rect
                  key={series[part]?.name ?? part}
                  className={`bar bar-${series[part]?.tone ?? 'plain'}`}
                  x={index * width + width * 0.12}
                  y={y}
                  width={width * 0.76}
                  height={height}
                />
              ))}
            </g>
          ))}
        </svg>
        <div className="chart-ends">
          <span>{bars[0]?.label}</span>
          <span>{bars.at(-1)?.label}</span>
        </div>
      </div>
      {series.length > 1 && (
        <ul className="legend">
          {series.map(({ name, tone }) => (
            <li key={name}>
              <span className={`swatch bar-${tone}`} aria-hidden="true" /> {name}
            </li>
          ))}
        </ul>
      )}
      <details className="chart-table">
        <summary>As a table</summary>
        <Numbers series={series.map(({ name }) => name)} bars={bars} title={title} format={format} />
      </details>
    </figure>
  );
}

interface NumbersProps {
  readonly title: string;
  readonly series: readonly string[];
  readonly bars: readonly Bar[];
  format(value: number): string;
}

function Numbers({ title, series, bars, format }: NumbersProps) {
  return (
    <TableScroll label={`${title}, numbers`}>
      <table>
        <caption className="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {series.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars
            .filter(({ values }) => total(values) > 0)
            .map(({ label, values }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map((name, index) => (
                  <td key={name}>{format(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function heights(values: readonly number[], highest: number): readonly { y: number; height: number }[] {
  let below = 0;
  return values.map((value) => {
    const height = highest === 0 ? 0 : (value / highest) * (HEIGHT - 4);
    below += height;
    return { y: HEIGHT - below, height };
  });
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
