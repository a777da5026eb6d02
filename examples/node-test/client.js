// A client of the API without a library: requests, and a list that a watch keeps up to date.
import { once } from 'node:events';
import { request } from 'node:https';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

/** An error with the status code of its response. */
export class ApiError extends Error {
  constructor({ code, message }) {
    super(message);
    this.code = code;
  }
}

export class Client {
  constructor({ url, ca, token }) {
    this.server = { url, ca, token };
  }

  /** Sends a request. Returns the object of the response. Throws an ApiError for a Status that is an error. */
  async send(method, path, body) {
    const response = await this.#begin(method, path, body);
    const object = JSON.parse(await text(response));
    if (response.statusCode >= 400) throw new ApiError(object);
    return object;
  }

  /** Calls `see` with each object of a collection, and again after each change, until the signal aborts. */
  async follow(path, see, signal) {
    let version;
    while (!signal.aborted) {
      try {
        if (version === undefined) {
          const { items, metadata } = await this.send('GET', path);
          items.forEach(see);
          version = metadata.resourceVersion;
        }
        const stream = await this.#begin('GET', `${path}?watch=true&resourceVersion=${version}`, undefined, signal);
        if (stream.statusCode >= 400) throw new ApiError(JSON.parse(await text(stream)));
        for await (const line of createInterface({ input: stream })) {
          const { type, object } = JSON.parse(line);
          if (type === 'ERROR') throw new ApiError(object);
          version = object.metadata.resourceVersion;
          if (type !== 'DELETED') see(object);
        }
      } catch (error) {
        // The version is no longer in history: begin with a new list.
        if (error.code === 410) version = undefined;
        else await wait(20);
      }
    }
  }

  async #begin(method, path, body, signal) {
    const { url, ca, token } = this.server;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(url + path, { method, ca, headers, signal });
    sent.end(body && JSON.stringify(body));
    const [response] = await once(sent, 'response');
    return response;
  }
}
