// Namespaces, limit ranges and resource quotas.
import { field, list, map } from './field.js';

export const namespaceTypes = {
  Namespace: {
    metadata: field('ObjectMeta', 1),
    spec: field('NamespaceSpec', 2),
    status: field('NamespaceStatus', 3),
  },
  NamespaceSpec: {
    finalizers: list('string', 1),
  },
  NamespaceStatus: {
    phase: field('string', 1),
  },
  LimitRange: {
    metadata: field('ObjectMeta', 1),
    spec: field('LimitRangeSpec', 2),
  },
  LimitRangeSpec: {
    limits: list('LimitRangeItem', 1, { required: true }),
  },
  LimitRangeItem: {
    type: field('string', 1),
    max: map('quantity', 2),
    min: map('quantity', 3),
    default: map('quantity', 4),
    defaultRequest: map('quantity', 5),
    maxLimitRequestRatio: map('quantity', 6),
  },
  ResourceQuota: {
    metadata: field('ObjectMeta', 1),
    spec: field('ResourceQuotaSpec', 2),
    status: field('ResourceQuotaStatus', 3),
  },
  ResourceQuotaSpec: {
    hard: map('quantity', 1),
    scopes: list('string', 2),
  },
  ResourceQuotaStatus: {
    hard: map('quantity', 1),
    used: map('quantity', 2),
  },
};
