// Token review: the requests to the remote service, the effect of its replies, and the API that reviews a token.
import { defineChapter } from '../run/chapter.js';
import { apiGroups } from './api.js';
import { replyGroups } from './replies.js';
import { requestGroups } from './requests.js';
import { startGroups } from './starts.js';

defineChapter('tokenReview', [...requestGroups, ...startGroups, ...replyGroups, ...apiGroups]);
