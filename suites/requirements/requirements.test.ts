// The rows cover every address of the document, and every row is well-formed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chapters } from './chapters.js';
import type { Chapter, RequirementRow } from './types.js';

const rows = Object.entries(chapters as Readonly<Record<string, Chapter>>).flatMap(([chapter, named]) =>
  Object.entries(named).map(([name, row]) => ({ chapter, name, id: `${chapter}.${name}`, row })),
);

const idsWhere = (wrong: (row: RequirementRow, name: string) => boolean): string[] =>
  rows.filter(({ row, name }) => wrong(row, name)).map(({ id }) => id);

const oneSentence = (text: string): boolean => /^[A-Z`].*[^.]\.$/.test(text) && !/[.!?] [A-Z]/.test(text);

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

  it('quote the document exactly if it states them', () => {
    expect(idsWhere(({ level, words = '' }) => level === 'required' && words.trim() === '')).toEqual([]);
    expect(idsWhere(({ level, words }) => level === 'recommended' && words !== undefined)).toEqual([]);
    expect(idsWhere(({ words = '' }) => words.length > 220)).toEqual([]);
  });

  it('are checked or unobservable', () => {
    const states = ['subjects', 'observable'];
    expect(idsWhere((row) => states.filter((state) => state in row).length !== 1)).toEqual([]);
  });

  it('give a reason where they are unobservable or not asked of all kinds', () => {
    expect(idsWhere((row) => 'reason' in row && row.reason.length <= 20)).toEqual([]);
    expect(idsWhere((row) => 'onlyOwnKinds' in row && row.onlyOwnKinds.length <= 20)).toEqual([]);
  });

  it('say what breaks for clients in one sentence', () => {
    expect(idsWhere((row) => 'breaks' in row && (!oneSentence(row.breaks) || row.breaks.length > 180))).toEqual([]);
  });
});

describe('the subject sets', () => {
  it('have unique names across chapters', async () => {
    const folder = join(import.meta.dirname, '../../matrix/subjects');
    const modules = await Promise.all(
      readdirSync(folder)
        .filter((file) => /^(?!index)\w+\.ts$/.test(file))
        .map((file) => import(join(folder, file))),
    );
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
