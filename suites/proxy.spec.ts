// Proxy: HTTP through the server to pods, services and nodes.
import { answerChecks, answerPerformers } from './proxy/answers.js';
import { passingChecks, passingPerformers } from './proxy/passing.js';
import { placeChecks, placePerformers } from './proxy/places.js';
import { defineChapter } from './support/chapter.js';

defineChapter(
  'proxy',
  { ...placePerformers, ...passingPerformers, ...answerPerformers },
  { ...placeChecks, ...passingChecks, ...answerChecks },
);
