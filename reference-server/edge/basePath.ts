// `--base-path`: the whole API below a path, as a mounted application.
import { STATUS_CODES } from 'node:http';
import express, { type Express } from 'express';
import { OptionError } from '../optionValues.js';

/** Returns a base path without a slash at its end; empty for none. Throws an OptionError if the text is not a path. */
export function readBasePath(text: string): string {
  const path = text.replace(/\/$/, '');
  // Clients resolve the segments . and .. before they send a path.
  if (path !== '' && !/^(\/(?!\.{1,2}(\/|$))[\w.~-]+)+$/.test(path))
    throw new OptionError(`--base-path: "${text}" is not a path; write it as /k8s/c1`);
  return path;
}

/** Returns an application with `api` below the path. Other paths are 404. */
export function mountBelow(path: string, api: Express): Express {
  const app = express().disable('x-powered-by').enable('case sensitive routing');
  app.use(path, api);
  app.use((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(`404 ${STATUS_CODES[404]}\n`);
  });
  return app;
}
