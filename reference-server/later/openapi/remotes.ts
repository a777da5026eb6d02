// The APIs that other servers have, as far as documents say them.
import type { Answer, ApiRequest } from '../../request.js';

/** What another server has said of one of its APIs. Another object after each change. */
export interface RemoteDocument {
  /** `apis/GROUP/VERSION` */
  readonly path: string;
  /** The hash of its document of OpenAPI 3, perhaps empty; absent if it has none. */
  readonly hash?: string;
  /** Its document of OpenAPI 2, as received; absent if it has none. */
  readonly v2?: string;
}

/** The APIs of other servers, and how to ask them. */
export interface RemoteDocuments {
  readonly all: readonly RemoteDocument[];
  /** Asks the server of an API for its document of OpenAPI 3. */
  ask(request: ApiRequest, document: RemoteDocument): Promise<Answer> | Answer;
}

export const noRemotes: RemoteDocuments = {
  all: [],
  ask() {
    throw new Error('there are no other servers');
  },
};
