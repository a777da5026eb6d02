// Writes the pages of the interface into docs: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { renderInterface } from './document.js';
import { renderFields } from './fields.js';

writeFileSync('docs/interface.md', renderInterface());
writeFileSync('docs/interface-fields.md', renderFields());
