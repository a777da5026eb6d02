// Lists of requirements with level, rule and cases, for people and for programs.

import { countOf } from '../../reports/index.js';
import { type Chapter, chapters, isChecked, type Requirement, subjectSets } from '../../suites/requirements/index.js';
import { ruleOf } from '../../suites/requirements/rules.js';
import { emphasized, widthOf, wrapped } from '../terminal.js';

/** The formats of a list; each returns a text that ends with a newline. */
export const listFormats = { table, json, markdown } as const;

const casesOf = ({ row }: Requirement): number => (isChecked(row) ? subjectSets[row.subjects].length : 0);

/** Returns a table with a line of facts and the sentence of each requirement. No line is wider than the terminal. */
function table(chosen: readonly Requirement[]): string {
  const width = widthOf(process.stdout);
  const longest = Math.max(0, ...chosen.map(({ id }) => id.length));
  const line = (id: string, level: string, rule: string, cases: string): string =>
    `${id.padEnd(longest)}  ${level.padEnd(11)}  ${rule.padEnd(5)}  ${cases.padStart(5)}`;
  const rows = chosen.flatMap((requirement) => {
    const { id, row } = requirement;
    const cases = isChecked(row) ? casesOf(requirement).toLocaleString('en-US') : '–';
    return [line(id, row.level, ruleOf(id).number, cases), ...wrapped(row.text, width, '  ')];
  });
  const all = chosen.reduce((sum, one) => sum + casesOf(one), 0);
  const required = chosen.filter(({ row }) => row.level === 'required').length;
  const counted = `${countOf(chosen.length, 'requirement')}: ${required} required, ${chosen.length - required} recommended; ${countOf(all, 'case')}`;
  const notAlways = chosen.filter((one) => isChecked(one.row) && casesOf(one) === 0).length;
  const why = notAlways === 0 ? '' : `; ${notAlways} have cases only where the server publishes OpenAPI`;
  return `${[emphasized(line('requirement', 'level', 'rule', 'cases')), ...rows, '', ...wrapped(`${counted}${why}`, width)].join('\n')}\n`;
}

function json(chosen: readonly Requirement[]): string {
  const listed = chosen.map((requirement) => {
    const { id, chapter, row } = requirement;
    const { number, title, url } = ruleOf(id);
    return {
      id,
      chapter,
      level: row.level,
      text: row.text,
      rule: { number, title, url },
      cases: casesOf(requirement),
      ...(isChecked(row) ? { breaks: row.breaks } : {}),
      ...('reason' in row ? { notChecked: row.reason } : {}),
    };
  });
  return `${JSON.stringify(listed, null, 2)}\n`;
}

function markdown(chosen: readonly Requirement[]): string {
  const sections = Object.keys(chapters satisfies Record<string, Chapter>).flatMap((chapter) => {
    const own = chosen.filter((requirement) => requirement.chapter === chapter);
    if (own.length === 0) return [];
    const rows = own.map((requirement) => {
      const { id, row } = requirement;
      const { number, url } = ruleOf(id);
      return [`\`${id}\``, row.level, `[${number}](${url})`, String(casesOf(requirement)), escaped(row.text)];
    });
    const head = ['Requirement', 'Level', 'Rule', 'Cases', 'A conforming server'];
    const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    return [`## ${chapter}`, '', ...lines, ''];
  });
  return `${['# Requirements', '', ...sections].join('\n')}`;
}

/** Escapes the markup in a text. */
const escaped = (text: string): string => text.replace(/[\\`*_<>[\]|$]/g, (character) => `\\${character}`);
