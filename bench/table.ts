// The table of figures: a row for each measurement, a column for each server, measured in turn under the same load.
import { connections, Load, objects } from './load.js';
import { type Measurement, measurements } from './measurements/index.js';
import type { Subject } from './subject.js';

const ready: Omit<Measurement, 'run'> = { name: 'from exec to ready', unit: 'ms', goal: 500 };

/** The figures of one server, by the names of the rows. */
interface Column {
  readonly name: string;
  readonly figures: ReadonlyMap<string, number>;
}

/** Measures one server; removes what it made there, also when it fails or is told to stop. */
export async function measure(subject: Subject, signal: AbortSignal): Promise<Column> {
  const figures = new Map<string, number>();
  const load = new Load(subject, signal);
  try {
    await load.open();
    for (const measurement of measurements) figures.set(measurement.name, await measurement.run(load));
  } finally {
    await load.close();
  }
  if (subject.readyMilliseconds !== undefined) figures.set(ready.name, subject.readyMilliseconds);
  return { name: subject.name, figures };
}

/** The table as text. */
export function render(columns: readonly Column[]): string {
  const rows = [...measurements, ready].map((row) => [
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
  return `Server CPU (user and system) for one operation; ${objects} ConfigMaps of 2 KB, ${connections} TLS connections.\n\n${lines.join('\n')}\n`;
}

function shown(figure: number | undefined, unit: Measurement['unit']): string {
  if (figure === undefined) return '–';
  return `${figure.toFixed(figure < 100 ? 1 : 0)} ${unit}`;
}
