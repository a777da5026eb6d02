// Token review: the requests to the remote service, the effect of its replies, and the API that reviews a token.
import { defineChapter } from './support/run/chapter.js';
import { apiChecks, apiSetups } from './tokenReview/api.js';
import { replyChecks, replySetups } from './tokenReview/replies.js';
import { requestChecks, requestSetups } from './tokenReview/requests.js';
import { startChecks, startSetups } from './tokenReview/starts.js';

defineChapter(
  'tokenReview',
  { ...requestSetups, ...startSetups, ...replySetups, ...apiSetups },
  { ...requestChecks, ...startChecks, ...replyChecks, ...apiChecks },
);
