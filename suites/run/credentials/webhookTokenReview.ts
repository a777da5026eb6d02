// Tokens that the webhook reviewer knows, sent as bearer tokens.
import { randomBytes } from 'node:crypto';
import { webhookUsers } from '../../fixtures/users.js';
import type { ReviewReply } from '../../stand-ins/webhookReviewer.js';
import { type KnownUser, mapRows, type Setting, type Source } from './source.js';

const user = webhookUsers.plain;

/** A new token for whose reviews the webhook returns this response. */
const answered =
  (reply: ReviewReply) =>
  async ({ backends, sandbox }: Setting): Promise<{ token: string }> => {
    const token = randomBytes(18).toString('base64url');
    sandbox.client.redactor.add(token);
    await backends.setReview(token, reply);
    return { token };
  };

const good = (reply: Partial<ReviewReply>) => async (setting: Setting) => ({
  credential: await answered({ authenticated: true, user, ...reply })(setting),
  user: known(user),
});

type Reviewed = NonNullable<ReviewReply['user']>;

const known = ({ username, groups = [], ...rest }: Reviewed): KnownUser => ({ name: username, groups, ...rest });

export const webhookTokenReview = {
  good: {
    ...mapRows(webhookUsers, (row: Reviewed, id) => async ({ fixtures }: Setting) => ({
      credential: { token: fixtures.secrets.webhookTokenReview[id] },
      user: known(row),
    })),
    specOfRequest: good({ spec: { token: 'another' } }),
    oddSpec: good({ spec: { token: '', unknown: { field: true } } }),
    mistypedSpec: good({ spec: { token: ['a', 'list'] } }),
    afterFailures: good({ failures: { times: 2, httpStatus: 500 } }),
  },
  bad: {
    unknown: async () => ({ token: randomBytes(18).toString('base64url') }),
    refused: answered({ authenticated: false }),
    refusedWith401: answered({ authenticated: false, httpStatus: 401 }),
    refusedWithUser: answered({ authenticated: false, user }),
    brokenJson: answered({ authenticated: true, user, text: '{"apiVersion":"authentication.k8s.io/v1beta1",' }),
    noJson: answered({ authenticated: true, user, text: 'authenticated: true' }),
    otherVersion: answered({ authenticated: true, user, apiVersion: 'authentication.k8s.io/v9' }),
    otherKind: answered({ authenticated: true, user, kind: 'SubjectAccessReview' }),
    redirect: answered({ authenticated: true, user, redirect: true }),
    reset: answered({ authenticated: true, user, instead: 'reset' }),
    silence: answered({ authenticated: true, user, instead: 'silence' }),
  },
} satisfies Source;
