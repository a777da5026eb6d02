// The registry: a store for every resource, over one storage.
import type { Resource } from '../../matrix/api/index.js';
import { type Lacks, lacksNothing } from '../features/features.js';
import { QuotaLedger } from '../quota/ledger.js';
import type { TokenIssuer } from '../serviceaccounts/tokenIssuer.js';
import { TokenSecrets } from '../serviceaccounts/tokenSecrets.js';
import type { Storage } from '../storage/storage.js';
import { Broadcaster } from '../watch/broadcaster.js';
import { resourceRow } from './addresses.js';
import { Health } from './health.js';
import { Store } from './store.js';

export class Registry {
  readonly #stores = new Map<Resource, Store>();
  /** What the quotas of the namespaces are told of. */
  readonly quotas = new QuotaLedger(this);
  /** The tokens of the service accounts. */
  readonly tokens: TokenSecrets;

  /** What goes wrong in the controllers. */
  readonly health = new Health();

  /** Tells those who watch of every change. */
  readonly broadcaster: Broadcaster;

  constructor(
    readonly storage: Storage,
    issuer: TokenIssuer,
    readonly now: () => Date = () => new Date(),
    readonly lacks: Lacks = lacksNothing,
  ) {
    this.tokens = new TokenSecrets(this, issuer);
    this.broadcaster = new Broadcaster(storage);
  }

  /** The objects of a resource. */
  of(resource: Resource | string): Store {
    const row = typeof resource === 'string' ? resourceRow(resource) : resource;
    let store = this.#stores.get(row);
    if (store === undefined) {
      store = new Store(this, row);
      this.#stores.set(row, store);
    }
    return store;
  }
}
