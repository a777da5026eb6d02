// The table of figures: a row for each measurement, a column for each server, measured in turn under the same load.
import { connections, Load, objects } from './load.js';
import { firstCreate, type Measurement, measurements } from './measurements/index.js';
import { median } from './median.js';
import type { Subject } from './subject.js';

/** The first pass warms the server up: compilers and caches have seen each way once. The others are measured. */
const passes = 4;
const ready: Omit<Measurement, 'run'> = { name: 'from exec to ready', unit: 'ms', goal: 500 };

/** The figures of one server, by the names of the rows. */
interface Column {
  readonly name: string;
  readonly figures: ReadonlyMap<string, number>;
}

/**
 * Measures one server: the median of the passes for each row. Removes what it made there, also when it fails or is told
 * to stop.
 */
export async function measure(subject: Subject, signal: AbortSignal): Promise<Column> {
  const figures = new Map<string, number>();
  const load = new Load(subject, signal);
  try {
    await load.open();
    figures.set(firstCreate.name, await firstCreate.run(load));
    const measured = measurements.map((measurement) => ({ measurement, results: [] as number[] }));
    for (let pass = 0; pass < passes; pass++) {
      await load.clear();
      for (const { measurement, results } of measured) results.push(await measurement.run(load));
    }
    for (const { measurement, results } of measured) figures.set(measurement.name, median(results.slice(1)));
  } finally {
    await load.close();
  }
  if (subject.readyMilliseconds !== undefined) figures.set(ready.name, subject.readyMilliseconds);
  return { name: subject.name, figures };
}

/** The table as text. */
export function render(columns: readonly Column[]): string {
  const rows = [firstCreate, ...measurements, ready].map((row) => [
    row.name,
    row.goal === undefined ? '' : `≤ ${row.goal} ${row.unit}`,
    ...columns.map(({ figures }) => shown(figures.get(row.name), row.unit)),
  ]);
  const table = [['', 'goal', ...columns.map(({ name }) => name)], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  const [what, how] = [
    `Server CPU (user and system) for one operation; ${objects} ConfigMaps of 2 KB, ${connections} TLS connections.`,
    `The median of ${passes - 1} passes in one server, after one that warms it up.`,
  ];
  return `${what}\n${how}\n\n${lines.join('\n')}\n`;
}

function shown(figure: number | undefined, unit: Measurement['unit']): string {
  if (figure === undefined) return '–';
  return `${figure.toFixed(figure < 100 ? 1 : 0)} ${unit}`;
}
