// Reads and writes long YAML on a thread of its own, one job at a time. What goes in and out is JSON on the other side.
import { parentPort } from 'node:worker_threads';
import { StatusError } from '../errors.js';
import type { ApiObject } from './codec.js';
import { yaml } from './yaml.js';

/** What is to be done with some bytes: YAML to JSON, or JSON to YAML. */
export interface Job {
  readonly kind: 'decode' | 'encode';
  readonly bytes: Uint8Array;
}

/** The bytes that a job has made, or the code and the message of its refusal. */
export type Done = { readonly bytes: Uint8Array } | { readonly code: number; readonly message: string };

function done({ kind, bytes }: Job): Done {
  try {
    if (kind === 'decode') return { bytes: new TextEncoder().encode(JSON.stringify(yaml.decode(bytes))) };
    return { bytes: yaml.encode(JSON.parse(Buffer.from(bytes).toString()) as ApiObject, false) };
  } catch (error) {
    if (error instanceof StatusError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(done(job)));
