// The evidence that a run has written, as text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Returns the lines of the evidence in the directory of a run, as one text. */
export const evidenceText = (directory: string): string =>
  gunzipSync(readFileSync(join(directory, 'evidence.jsonl.gz'))).toString('utf8');
