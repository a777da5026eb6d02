// Proxy: HTTP through the server to pods, services and nodes.

import { defineChapter } from '../run/chapter.js';
import { answerGroups } from './answers.js';
import { placeGroups } from './destinations.js';
import { passingGroups } from './forwarding.js';

defineChapter('proxy', [...placeGroups, ...passingGroups, ...answerGroups]);
