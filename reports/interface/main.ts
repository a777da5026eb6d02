// Writes docs/interface.md: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { renderInterface } from './document.js';

writeFileSync('docs/interface.md', renderInterface());
