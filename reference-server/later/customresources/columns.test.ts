// The tables of definitions whose columns have a path that cannot be read: they end before it, as on real servers.
import { expect, it } from 'vitest';
import { columnsOf, unreadColumn } from './columns.js';

const object = { metadata: { name: 'x' }, a: 'aaa', c: 'ccc' };
const column = (name: string, jsonPath: string) => ({ name, type: 'string', jsonPath });

it.each([
  [['.a', '.b[', '.c'], ['x', 'aaa'], '.b['],
  [['.b[?('], ['x'], '.b[?('],
  [['.a[', '.c'], ['x'], '.a['],
  [['.a.b[1:2:0]', '.c'], ['x', null, 'ccc'], undefined],
  [['.a[0,1]', '.c'], ['x', null, 'ccc'], undefined],
  [['.c[?(@.x==', '.c'], ['x'], '.c[?(@.x=='],
])('%j', (paths, cells, unread) => {
  const additionalPrinterColumns = paths.map((path) => column(`column ${path}`, path));
  const version = { name: 'v1', served: true, storage: true, additionalPrinterColumns };
  const table = columnsOf(version);
  expect(table.cells(object, 0)).toEqual(cells);
  expect(table.definitions).toHaveLength(cells.length);
  expect(unreadColumn(version)?.jsonPath).toBe(unread);
});
