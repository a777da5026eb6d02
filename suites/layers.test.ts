// The layers of the suite: the client, then objects, then the run; a chapter may use all of them.
import { expect, test } from 'vitest';
import { layerFaults } from '../tools/testing/layers.js';
import { chapters } from './requirements/index.js';

/** From top to bottom. */
const layers = [['index.ts'], ['run'], ['objects', 'stand-ins'], ['client', 'fixtures'], ['requirements']];

// The compiler keeps what requirements import: they are a project of their own.
const outside = ['requirements/', ...Object.keys(chapters).map((chapter) => `${chapter}/`)];

test('a file imports only from its own folder and from the layers below', () => {
  expect(layerFaults(import.meta.dirname, layers, { outside })).toEqual({ withoutLayer: [], upward: [], circles: [] });
});

test('no files import each other in a circle, in chapters too', () => {
  expect(layerFaults(import.meta.dirname, []).circles).toEqual([]);
});
