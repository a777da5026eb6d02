// Warnings in a response: one `Warning` header for each, which clients show to their users.
import type { ServerResponse } from 'node:http';
import { cut } from '../excerpt.js';

/** The most characters of a warning. */
const longest = 256;
/** The most characters of all warnings of a response: clients limit the size of headers. */
const most = 4096;

/** Adds a warning to a response that has not begun, unless it has the same one, or too many. */
export function addWarning(response: ServerResponse, text: string): void {
  const value = `299 - "${cut(text, longest).replace(/[\\"]/g, '\\$&')}"`;
  // Headers are bytes: Node.js writes one for each character.
  const header = Buffer.from(value).toString('latin1');
  const before = (response.getHeader('Warning') ?? []) as readonly string[];
  const length = before.reduce((sum, each) => sum + each.length, 0);
  if (before.includes(header) || length + header.length > most) return;
  response.setHeader('Warning', [...before, header]);
}
