// The text format of Prometheus, version 0.0.4.

/** The labels of one series, in the order in which they are written. */
export type Labels = Readonly<Record<string, string>>;

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: Iterable<readonly [suffix: string, labels: Labels, value: number]>;
}

export const mediaType = 'text/plain; version=0.0.4; charset=utf-8';

export function textOf(families: Iterable<Family>): string {
  const lines: string[] = [];
  for (const { name, help, type, samples } of families) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
    for (const [suffix, labels, value] of samples) lines.push(`${name}${suffix}${braced(labels)} ${value}`);
  }
  return `${lines.join('\n')}\n`;
}

function braced(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' };

const escaped = (value: string): string => value.replaceAll(/[\\"\n]/g, (character) => escapes[character] ?? '');
