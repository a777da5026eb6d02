// The script of the files beside the page: makes their copy buttons work.
import { startCopying } from './copy.js';

startCopying();
