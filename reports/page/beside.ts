// The script of the files beside the page: its buttons copy.
import { startCopying } from './copy.js';

startCopying();
