// Compares the table of operations with the list that was transcribed from the document by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type MediaTypes, type Operation, parameterSets, statedOperations } from '../../matrix/api/index.js';

/** One line of the golden list: method, path, query, body, request types, response types, success. */
const golden = readFileSync(join(import.meta.dirname, 'operations.golden.txt'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .sort();

function requestOf({ requestTypes, body }: Operation): string {
  if (requestTypes === 'any') return 'any';
  if (body === 'patch') return 'patch';
  return requestTypes.length === 0 ? '-' : requestTypes.join(',');
}

function responseOf(types: MediaTypes): string {
  if (types === 'any') return 'any';
  const watches: Readonly<Record<string, string>> = {
    json: 'watch-core',
    'json,jsonWatch,protobuf,protobufWatch': 'watch-group',
  };
  const joined = types.join(',');
  return watches[joined] ?? joined;
}

function queryOf({ query }: Operation): string {
  if (query === 'none') return '-';
  return /^[A-Z]/.test(query) ? query : Object.keys(parameterSets[query]).join(',');
}

function lineOf(operation: Operation): string {
  const { method, path, body, responseTypes, success } = operation;
  return [
    method,
    path,
    queryOf(operation),
    body === 'none' ? '-' : 'required',
    requestOf(operation),
    responseOf(responseTypes),
    success,
  ].join('  ');
}

describe('the stated operations', () => {
  it('are those that the document states, with their parameters, bodies and media types', () => {
    expect(statedOperations.map(lineOf).sort()).toEqual(golden);
  });

  it('are 316 on 154 paths, as counted by hand', () => {
    expect(new Set(statedOperations.map(({ id }) => id)).size).toBe(316);
    expect(new Set(statedOperations.map(({ path }) => path)).size).toBe(154);
  });

  it('count up by another route: kinds times the sizes of their verb sets', () => {
    const discovery = 4;
    const groups = 6 * 14 + 11 + 5 + 4 + 1 + 3 * 3 + 7;
    const coreFull = 6 * 8 + 2 * 7;
    const services = 6;
    const statusReplaces = 4;
    const others = 1 + 2 + (3 + 4 + 2) + 2 + (2 + 1 + 4 + 1) + (2 + 1 + 4 + 1) + 3;
    const connects = 3 * 2 + 3 * 2 * 4 + 3 * 2 * 4;
    const log = 1;
    const watches = 9 * 2 + 1 + 10 + 2;
    expect(discovery + groups + coreFull + services + statusReplaces + others + connects + log + watches).toBe(
      statedOperations.length,
    );
  });
});
