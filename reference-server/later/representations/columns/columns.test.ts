// Tests the columns of each resource, and that resources can add theirs.
import { describe, expect, it } from 'vitest';
import { apiVersionOf } from '../../../../matrix/api/index.js';
import { laterResources } from '../../../../matrix/api/modern/resources.js';
import { ServedResources, tableWith } from '../../../versions/servedResources.js';
import { defaultColumns, nameColumn, tableOf } from './column.js';
import { setTable, Tables } from './index.js';

const now = Date.parse('2026-01-01T01:00:00Z');
const tables = new Tables();
const table = tableWith(laterResources);
const resourceRow = (id: string) => new ServedResources(table).byId(id);

/** The names of the columns, with a star for the wide ones. */
const names = ({ definitions }: ReturnType<Tables['of']>): string =>
  definitions.map(({ name, priority }) => `${name}${priority === 1 ? '*' : ''}`).join(', ');

describe('columns', () => {
  it.each([
    ['core/pods', 'Name, Ready, Status, Restarts, Age, IP*, Node*, Nominated Node*, Readiness Gates*'],
    ['core/services', 'Name, Type, Cluster-IP, External-IP, Port(s), Age, Selector*'],
    ['core/endpoints', 'Name, Endpoints, Age'],
    ['core/configmaps', 'Name, Data, Age'],
    ['core/secrets', 'Name, Type, Data, Age'],
    ['core/serviceaccounts', 'Name, Age'],
    ['core/namespaces', 'Name, Status, Age'],
    ['core/limitranges', 'Name, Created At'],
    ['core/resourcequotas', 'Name, Request, Limit, Age'],
    ['core/componentstatuses', 'Name, Status, Message, Error'],
    ['core/podtemplates', 'Name, Containers, Images, Pod Labels'],
    ['core/replicationcontrollers', 'Name, Desired, Current, Ready, Age, Containers*, Images*, Selector*'],
    ['batch/jobs', 'Name, Status, Completions, Duration, Age, Containers*, Images*, Selector*'],
    ['extensions/deployments', 'Name, Ready, Up-to-date, Available, Age, Containers*, Images*, Selector*'],
    ['extensions/thirdpartyresources', 'Name, Description, Version(s), Age'],
  ])('%s', (id, expected) => expect(names(tables.of(resourceRow(id)))).toBe(expected));

  it('have a type, a description and one cell each, even of an object without fields', () => {
    for (const resource of table) {
      const { definitions, cells } = tables.of(resource);
      const empty = { apiVersion: apiVersionOf(resource.groupVersion), kind: resource.kind, metadata: {} };
      expect(cells(empty, now)).toHaveLength(definitions.length);
      for (const { type, description } of definitions) {
        expect(['string', 'integer', 'boolean', 'date']).toContain(type);
        expect(description).toMatch(/^[A-Z].*\.$/);
      }
    }
  });

  it('of another version of a resource are those of the stored one', () => {
    expect(tables.of(resourceRow('extensions/jobs'))).toBe(tables.of(resourceRow('batch/jobs')));
  });

  it('can be made while the server runs', () => {
    const sizes = tableOf<{ spec?: { size?: number } }>([
      nameColumn,
      { name: 'Size', type: 'integer', description: 'The size.', cell: ({ spec }) => spec?.size ?? 0 },
    ]);
    const made = { ...resourceRow('core/limitranges') };
    setTable(made, sizes);
    expect(tables.of(made)).toBe(sizes);
    expect(tables.of(resourceRow('core/limitranges'))).toBe(defaultColumns);
    expect(sizes.cells({ metadata: { name: 'a' }, spec: { size: 3 } }, now)).toEqual(['a', 3]);
  });
});
