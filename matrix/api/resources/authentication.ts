// The authentication group: its two reviews of users. The document does not list its operations.
import { groupVersion } from './groupVersion.js';
import { type GroupVersion, resource } from './resource.js';

const group = 'authentication.k8s.io';
const v1: GroupVersion = { ...groupVersion(group, 'v1'), stated: false };
const v1beta1: GroupVersion = { ...groupVersion(group, 'v1beta1'), stated: false, onRequest: true };

export const authentication = [
  resource(v1, {
    plural: 'selfsubjectreviews',
    kind: 'SelfSubjectReview',
    namespaced: false,
    stated: [],
    unstated: ['create'],
    section: 'Mechanisms',
  }),
  resource(v1beta1, {
    plural: 'tokenreviews',
    kind: 'TokenReview',
    namespaced: false,
    stated: [],
    unstated: ['create'],
    section: 'Webhook token review',
  }),
];
