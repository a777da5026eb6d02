// The rows cover every address of the document, and every row is well-formed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addresses } from './addresses.js';
import { chapters } from './chapters/index.js';
import type { Chapter, RequirementRow } from './types.js';

/** The number of addresses under each heading, counted by hand in the document: rules, bullets and table rows. */
const counted = {
  Introduction: 1,
  'What the service does': 7,
  'Kinds by path prefix': 9,
  'Fields that are stated': 13,
  'Other rules': 3,
  'States and transitions': 1,
  Conventions: 10,
  Parameters: 15,
  'Generic operation set': 15,
  'Kind coverage': 11,
  'Additional extensions operations': 6,
  ThirdPartyResource: 7,
  'Core group': 29,
  'Connect and proxy operations': 11,
  'Pod log': 10,
  'Watch paths': 5,
  'General rules': 4,
  Mechanisms: 7,
  'Webhook token review': 14,
  'Certificate preparation': 3,
  Authentication: 2,
  Events: 5,
  Errors: 2,
  Limits: 4,
  Versioning: 5,
};

const rows = Object.entries(chapters as Readonly<Record<string, Chapter>>).flatMap(([chapter, named]) =>
  Object.entries(named).map(([name, row]) => ({ chapter, name, id: `${chapter}.${name}`, row })),
);

const idsWhere = (wrong: (row: RequirementRow, name: string) => boolean): string[] =>
  rows.filter(({ row, name }) => wrong(row, name)).map(({ id }) => id);

const oneSentence = (text: string): boolean => /^[A-Z].*[^.]\.$/.test(text) && !/[.!?] [A-Z]/.test(text);

describe('addresses', () => {
  it('are as many under each heading as the document has', () => {
    const found: Record<string, number> = {};
    for (const address of addresses) {
      const heading = address.slice(0, address.indexOf('/'));
      found[heading] = (found[heading] ?? 0) + 1;
    }
    expect(found).toEqual(counted);
  });

  it('exist once each', () => {
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('have a requirement each', () => {
    const covered = new Set<string>(rows.flatMap(({ row }) => row.source));
    expect(addresses.filter((address) => !covered.has(address))).toEqual([]);
  });
});

describe('requirements', () => {
  it('have permanent ids: a chapter in camel case and a name in kebab case, no two alike in any case', () => {
    expect(rows.map(({ id }) => id).filter((id) => !/^[a-z][a-zA-Z]*\.[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(new Set(rows.map(({ id }) => id.toLowerCase())).size).toBe(rows.length);
  });

  it('are one short sentence about a conforming server', () => {
    expect(idsWhere(({ text }) => !oneSentence(text) || text.length >= 220)).toEqual([]);
  });

  it('are distinct within a chapter', () => {
    const said = rows.map(({ chapter, row }) => `${chapter}: ${row.text}`);
    expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([]);
  });

  it('name their place in the document once each', () => {
    expect(idsWhere(({ source }) => source.length === 0 || new Set(source).size !== source.length)).toEqual([]);
  });

  it('quote the document exactly if it states them', () => {
    expect(idsWhere(({ level, words = '' }) => level === 'stated' && words.trim() === '')).toEqual([]);
    expect(idsWhere(({ level, words }) => level === 'convention' && words !== undefined)).toEqual([]);
    expect(idsWhere(({ words = '' }) => words.length > 220)).toEqual([]);
  });

  it('are checked, planned or unobservable: exactly one of the three', () => {
    const states = ['subjects', 'planned', 'observable'];
    expect(idsWhere((row) => states.filter((state) => state in row).length !== 1)).toEqual([]);
  });

  it('give a reason where they are planned or unobservable', () => {
    expect(idsWhere((row) => 'planned' in row && row.planned.trim() === '')).toEqual([]);
    expect(idsWhere((row) => 'reason' in row && row.reason.length <= 20)).toEqual([]);
  });
});

describe('the subject sets', () => {
  it('have unique names across chapters', async () => {
    const folder = join(import.meta.dirname, 'subjects');
    const modules = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file))));
    const tables = modules.flatMap((module: object) =>
      Object.entries(module).filter(([name]) => name.endsWith('Sets')),
    );
    const names = tables.flatMap(([, sets]) => Object.keys(sets));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the readings', () => {
  it('name requirements that exist', () => {
    const ids = new Set(rows.map(({ id }) => id));
    const readings = readFileSync(new URL('../../docs/readings.md', import.meta.url), 'utf8');
    const consequences = readings.split('\n').filter((line) => line.trim().startsWith('→'));
    const named = consequences.flatMap((line) =>
      [...line.matchAll(/`([a-zA-Z]+\.[a-z0-9-]+)`/g)].map(([, id]) => id ?? ''),
    );
    expect(consequences).toHaveLength(readings.match(/^\d+\. /gm)?.length ?? 0);
    expect(named.filter((id) => !ids.has(id))).toEqual([]);
  });
});
