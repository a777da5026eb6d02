// docs/interface.md matches the rules, and its links are valid.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resources, statedOperations } from '../../matrix/api/index.js';
import { rules } from '../../matrix/interface/index.js';
import { requirements } from '../../suites/requirements/index.js';
import { renderInterface } from './document.js';
import { renderFields } from './fields.js';

const page = renderInterface();

describe('docs/interface.md', () => {
  it('is up to date: `npm run docs` writes it', () => {
    const file = join(import.meta.dirname, '../../docs/interface.md');
    expect(readFileSync(file, 'utf8') === page, 'docs/interface.md is not up to date: run `npm run docs`').toBe(true);
  });

  it('has an anchor for every link, once', () => {
    const anchors = [...page.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor]) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    const linked = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
    expect(anchors.filter((anchor) => anchor?.startsWith('r-'))).toHaveLength(rules.length);
  });

  it('names every requirement, the unobservable ones with their reason', () => {
    const unnamed = requirements.filter(({ id, row }) => !page.includes('reason' in row ? row.reason : `\`${id}\``));
    expect(unnamed.map(({ id }) => id)).toEqual([]);
  });

  it('has a mark for every stated operation, and no further one', () => {
    const ofKinds = statedOperations.filter(({ resource }) => resource !== undefined && resource.kind !== 'Binding');
    const verbs = new Set(
      ofKinds.map(({ resource, verb }) => `${resource?.groupVersion.prefix} ${resource?.plural} ${verb}`),
    );
    const start = page.indexOf('id="r-2-2"');
    const tables = page.slice(start, page.indexOf('id="r-2-8"'));
    const cells = tables.split('\n').filter((line) => line.startsWith('|') && !/^\| (Kind|---)/.test(line));
    const marks = cells
      .flatMap((line) => line.split(' | ').slice(1))
      .flatMap((cell) => cell.match(/[A-Za-z][A-Za-z ]+/g) ?? []);
    const proxied = resources.filter(({ stated }) => stated.includes('proxy')).length;
    const scaled = resources.filter(({ stated }) => stated.includes('readScale')).length;
    // a proxy has two verbs, with and without a path, under both prefixes; a scale has three
    expect(marks.length + 2 * proxied + 2 * scaled).toBe(verbs.size);
  });
});

describe('docs/interface-fields.md', () => {
  const fields = renderFields();

  it('is up to date: `npm run docs` writes it', () => {
    const file = join(import.meta.dirname, '../../docs/interface-fields.md');
    expect(
      readFileSync(file, 'utf8') === fields,
      'docs/interface-fields.md is not up to date: run `npm run docs`',
    ).toBe(true);
  });

  it('has every type of a field or a kind once, and links to existing rules', () => {
    const anchors = [...fields.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor]) => anchor);
    expect(new Set(anchors).size).toBe(anchors.length);
    const linked = [...fields.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(linked.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
    const rulesNamed = [...fields.matchAll(/\]\(interface\.md#([^)]+)\)/g)].map(([, anchor]) => anchor);
    expect(rulesNamed.filter((anchor) => !page.includes(`<a id="${anchor}">`))).toEqual([]);
  });
});
