// Reads and writes long YAML in a thread, one job at a time, from and to JSON.
import { parentPort } from 'node:worker_threads';
import { jsonText, parseJson } from '../exactJson.js';
import { StatusError } from '../statusError.js';
import type { ApiObject } from './codec.js';
import { type RepeatedField, RepeatedFields } from './fieldPaths.js';
import { yaml } from './yaml.js';

/** A job: YAML to JSON, or JSON to YAML. */
export interface Job {
  readonly kind: 'decode' | 'encode';
  readonly bytes: Uint8Array;
  /** Whether a decoder collects repeated keys instead of refusing them. */
  readonly repeats?: boolean;
}

/** The result of a job: its bytes, or the code and message of its error. */
export type Done =
  | { readonly bytes: Uint8Array; readonly duplicates?: readonly RepeatedField[] }
  | { readonly code: number; readonly message: string };

function done({ kind, bytes, repeats }: Job): Done {
  try {
    if (kind === 'decode') {
      const duplicates = repeats === true ? new RepeatedFields() : undefined;
      const value = yaml.decode(bytes, undefined, duplicates);
      return {
        bytes: new TextEncoder().encode(jsonText(value)),
        ...(duplicates && { duplicates: duplicates.found }),
      };
    }
    return { bytes: yaml.encode(parseJson(Buffer.from(bytes).toString()) as ApiObject, false) };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(done(job)));
