// The picture of a run is well-formed, has a title, and shows the shares of its kinds and verbs.
import { expect, it } from 'vitest';
import { allCases } from '../../suites/requirements/index.js';
import { allHostile } from '../testing/hostile.js';
import { elements, parse } from '../testing/parse.js';
import { judgeSample, result, type Sample, sampleEvidence } from '../testing/sample.js';
import { renderMap } from './mapSvg.js';

const expected = allCases().filter(({ requirement: { id } }) => ['responses.status', 'watch.status'].includes(id));
const first = expected.find(({ subject }) => subject.operation?.resource);
const drawn = (sample: Sample): string => renderMap(judgeSample(sample), sampleEvidence(sample));
const prologue = '<?xml version="1.0" encoding="UTF-8"?>';

it('has a title, a description, and the share of each kind and verb', () => {
  const results = expected.map((one) => result(one, one === first ? 'failed' : 'passed'));
  const all = elements(parse(prologue + drawn({ expected, results }), 'xml'));
  const textsOf = (name: string): string[] => all.filter((one) => one.name === name).map(({ text }) => text);
  expect(textsOf('title')).toEqual(['sample: not conformant']);
  expect(textsOf('desc')[0]).toMatch(/\d+ kinds and \d+ verbs/);
  expect(textsOf('text')).toEqual(expect.arrayContaining(['core', 'pods', 'list', 'watch']));
  expect(textsOf('text').filter((text) => /^\d+\/\d+$/.test(text))).toHaveLength(1);
  expect(all.filter(({ attributes }) => attributes.class === 'f')).toHaveLength(1);
});

it.each<[string, Sample]>([
  ['a run without a header', { run: null, end: null }],
  ['hostile text', { expected, run: { target: { name: allHostile, url: 'https://127.0.0.1' } } }],
])('is well-formed for %s', (_, sample) => {
  const svg = parse(prologue + drawn(sample), 'xml');
  expect(svg.attributes.role).toBe('img');
  expect(elements(svg).map(({ name }) => name)).not.toContain('img');
});
