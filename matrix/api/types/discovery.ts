// The types of discovery responses.
import { bare, field, list } from './field.js';

export const discoveryTypes = {
  APIVersions: {
    versions: list('string', 1, { required: true }),
    serverAddressByClientCIDRs: list('ServerAddressByClientCIDR', 2, { required: true }),
  },
  ServerAddressByClientCIDR: {
    clientCIDR: field('string', 1, { required: true }),
    serverAddress: field('string', 2, { required: true }),
  },
  APIGroupList: {
    groups: list('APIGroup', 1, { required: true }),
  },
  APIGroup: {
    name: field('string', 1, { required: true }),
    versions: list('GroupVersionForDiscovery', 2, { required: true }),
    preferredVersion: field('GroupVersionForDiscovery', 3),
    serverAddressByClientCIDRs: list('ServerAddressByClientCIDR', 4, { required: true }),
  },
  GroupVersionForDiscovery: {
    groupVersion: field('string', 1, { required: true }),
    version: field('string', 2, { required: true }),
  },
  APIResourceList: {
    groupVersion: field('string', 1, { required: true }),
    resources: list('APIResource', 2, { required: true }),
  },
  APIResource: {
    name: field('string', 1, { required: true }),
    namespaced: field('boolean', 2, { required: true }),
    kind: field('string', 3, { required: true }),
    verbs: field('Verbs', 4, { required: true }),
    shortNames: list('string', 5),
    singularName: field('string', 6, { required: true }),
    categories: list('string', 7),
    group: field('string', 8),
    version: field('string', 9),
  },
  Verbs: {
    items: bare('string', 1),
  },
};
