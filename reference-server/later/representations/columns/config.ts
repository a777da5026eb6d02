// The columns of config maps, secrets, service accounts and third party resources.
import type { ObjectOf } from '../../../../matrix/api/modern/objects.js';
import { ageColumn, nameColumn, tableOf } from './column.js';

const size = ({ data = {}, binaryData = {} }: ObjectOf<'ConfigMap'>): number =>
  Object.keys(data).length + Object.keys(binaryData).length;

export const configMapColumns = tableOf<ObjectOf<'ConfigMap'>>([
  nameColumn,
  { name: 'Data', description: 'How many entries there are.', cell: size },
  ageColumn,
]);

export const secretColumns = tableOf<ObjectOf<'Secret'>>([
  nameColumn,
  { name: 'Type', description: 'What the secret is for.', cell: ({ type = '' }) => type },
  { name: 'Data', description: 'How many entries there are.', cell: size },
  ageColumn,
]);

export const serviceAccountColumns = tableOf<unknown>([nameColumn, ageColumn]);

interface ThirdPartyResource {
  readonly description?: string;
  readonly versions?: readonly { readonly name?: string }[];
}

export const thirdPartyResourceColumns = tableOf<ThirdPartyResource>([
  nameColumn,
  { name: 'Description', description: 'What the resource is.', cell: ({ description = '' }) => description },
  {
    name: 'Version(s)',
    description: 'The versions of the resource.',
    cell: ({ versions = [] }) => versions.map(({ name = '' }) => name).join(','),
  },
  ageColumn,
]);
