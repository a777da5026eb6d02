// The table of figures: a row for each measurement, columns for each server, cold and warm, measured in turn under the
// same load.

import { median } from './figures.js';
import { connections, Load, objects } from './load.js';
import { type Measurement, measurements } from './measurements.js';
import type { Subject } from './subject.js';

/** How often a server that has done its cold pass does everything again. */
const warmPasses = 3;

type Row = Omit<Measurement, 'run'>;

const ready: Row = { name: 'from exec to ready', unit: 'ms', goal: 500 };
const readyCpu: Row = { name: 'CPU from exec to ready', unit: 'ms' };

/** A quantity in a server that has just started, and in one that has done the same before. */
interface Figure {
  readonly cold: number;
  readonly warm?: number;
}

/** The figures of one server, by the names of the rows. */
interface Column {
  readonly name: string;
  readonly figures: ReadonlyMap<string, Figure>;
}

/** A server that is measured, and how often it can be started afresh. */
export interface Start {
  readonly times: number;
  start(): Promise<Subject>;
}

export interface MeasureOptions {
  /** Measures no warm passes. */
  readonly coldOnly: boolean;
  readonly signal: AbortSignal;
}

/**
 * Measures a server: cold in each start, warm in the last one; the figures are medians. Removes what it made there, also
 * when it fails or is told to stop.
 */
export async function measure({ times, start }: Start, { coldOnly, signal }: MeasureOptions): Promise<Column> {
  const cold = new Results();
  const warm = new Results();
  for (let count = 1; ; count++) {
    const subject = await start();
    try {
      await measureStarted(subject, signal, cold, count === times && !coldOnly ? warm : undefined);
    } finally {
      await subject.stop();
    }
    if (count === times) return { name: subject.name, figures: figuresOf(cold, warm) };
  }
}

async function measureStarted(subject: Subject, signal: AbortSignal, cold: Results, warm?: Results): Promise<void> {
  if (subject.ready !== undefined) {
    cold.add(ready, subject.ready.milliseconds);
    cold.add(readyCpu, subject.ready.cpuMilliseconds);
  }
  const load = new Load(subject, signal);
  try {
    await load.open();
    for (const row of measurements) cold.add(row, await row.run(load));
    for (let pass = 0; warm !== undefined && pass < warmPasses; pass++) {
      await load.clear();
      for (const row of measurements) warm.add(row, await row.run(load));
    }
  } finally {
    await load.close();
  }
}

/** What was measured, by the names of the rows. */
class Results {
  readonly #byName = new Map<string, number[]>();

  add({ name }: Row, figure: number): void {
    this.#byName.set(name, [...(this.#byName.get(name) ?? []), figure]);
  }

  medians(): Map<string, number> {
    return new Map([...this.#byName].map(([name, figures]) => [name, median(figures)]));
  }
}

function figuresOf(cold: Results, warm: Results): Map<string, Figure> {
  const warmFigures = warm.medians();
  return new Map(
    [...cold.medians()].map(([name, figure]) => {
      const warmFigure = warmFigures.get(name);
      return [name, { cold: figure, ...(warmFigure !== undefined && { warm: warmFigure }) }];
    }),
  );
}

/** The table as text. With two servers, the ratio is the figure of the first divided by that of the second. */
export function render(columns: readonly Column[]): string {
  const [first, second] = columns;
  const head = [
    '',
    'goal, warm',
    ...columns.flatMap(({ name }) => [`${name}: cold`, 'warm']),
    ...(second === undefined ? [] : ['ratio: cold', 'warm']),
  ];
  const rows = [...measurements, ready, readyCpu].map((row) => [
    row.name,
    row.goal === undefined ? '' : `≤ ${row.goal} ${row.unit}`,
    ...columns.flatMap(({ figures }) => {
      const figure = figures.get(row.name);
      return [shown(figure?.cold, row.unit), shown(figure?.warm, row.unit)];
    }),
    ...(second === undefined ? [] : ratios(first?.figures.get(row.name), second.figures.get(row.name))),
  ]);
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  return `${[
    `Server CPU (user and system) for one operation; ${objects} ConfigMaps of 2 KB, ${connections} TLS connections.`,
    `Cold: the first operations of a server that has just started. Warm: the median of ${warmPasses} later passes.`,
    '',
    ...lines,
  ].join('\n')}\n`;
}

function shown(figure: number | undefined, unit: Measurement['unit']): string {
  if (figure === undefined) return '–';
  return `${figure.toFixed(figure < 100 ? 1 : 0)} ${unit}`;
}

function ratios(one: Figure | undefined, other: Figure | undefined): string[] {
  return [ratio(one?.cold, other?.cold), ratio(one?.warm, other?.warm)];
}

function ratio(one: number | undefined, other: number | undefined): string {
  return one === undefined || other === undefined ? '–' : (one / other).toFixed(3);
}
