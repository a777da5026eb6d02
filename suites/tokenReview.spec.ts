// Token review: what the remote service is asked, what becomes of its replies, and the API that says whose a token is.
import { defineChapter } from './support/chapter.js';
import { apiChecks, apiPerformers } from './tokenReview/api.js';
import { replyChecks, replyPerformers } from './tokenReview/replies.js';
import { requestChecks, requestPerformers } from './tokenReview/requests.js';
import { startChecks, startPerformers } from './tokenReview/starts.js';

defineChapter(
  'tokenReview',
  { ...requestPerformers, ...startPerformers, ...replyPerformers, ...apiPerformers },
  { ...requestChecks, ...startChecks, ...replyChecks, ...apiChecks },
);
