// Kinds that are never stored: TokenReview, SelfSubjectReview and Eviction.
import { bare, field, list, map } from './field.js';

export const reviewTypes = {
  TokenReview: {
    metadata: field('ObjectMeta', 1),
    spec: field('TokenReviewSpec', 2, { required: true }),
    status: field('TokenReviewStatus', 3),
  },
  TokenReviewSpec: {
    token: field('string', 1),
  },
  TokenReviewStatus: {
    authenticated: field('boolean', 1),
    user: field('UserInfo', 2),
    error: field('string', 3),
  },
  SelfSubjectReview: {
    metadata: field('ObjectMeta', 1),
    status: field('SelfSubjectReviewStatus', 2),
  },
  SelfSubjectReviewStatus: {
    userInfo: field('UserInfo', 1),
  },
  UserInfo: {
    username: field('string', 1),
    uid: field('string', 2),
    groups: list('string', 3),
    extra: map('ExtraValue', 4),
  },
  ExtraValue: {
    items: bare('string', 1),
  },
  Eviction: {
    metadata: field('ObjectMeta', 1),
    deleteOptions: field('DeleteOptions', 2),
  },
};
