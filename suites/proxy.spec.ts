// Proxy: HTTP through the server to pods, services and nodes.
import { answerChecks, answerSetups } from './proxy/answers.js';
import { placeChecks, placeSetups } from './proxy/destinations.js';
import { passingChecks, passingSetups } from './proxy/forwarding.js';
import { defineChapter } from './support/run/chapter.js';

defineChapter(
  'proxy',
  { ...placeSetups, ...passingSetups, ...answerSetups },
  { ...placeChecks, ...passingChecks, ...answerChecks },
);
