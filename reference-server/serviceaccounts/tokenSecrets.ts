// The Secrets that hold the tokens of service accounts: their validity, their contents, and one for every account.

import type { Store } from '../registry/store.js';
import { isTokenName, newTokenName, type ServiceAccount } from '../registry/strategies/serviceAccounts.js';
import { type DecodedObject, type KubeObject, part } from '../schema/object.js';
import { StatusError } from '../statusError.js';
import type { TokenIssuer } from './tokenIssuer.js';

export const tokenType = 'kubernetes.io/service-account-token';
/** The annotations that name the account of a token. */
const ownerAnnotations = {
  name: 'kubernetes.io/service-account.name',
  uid: 'kubernetes.io/service-account.uid',
};

type Data = Readonly<Record<string, string>>;

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The names of the Secrets that an account refers to. */
export function secretNamesOf({ secrets = [] }: Pick<ServiceAccount, 'secrets'>): string[] {
  return secrets.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

/** Reports whether a Secret is for a token of this account, not of an earlier account with the same name. */
export function belongsTo(secret: KubeObject, { metadata: { name, uid } }: KubeObject): boolean {
  const { annotations = {} } = secret.metadata;
  const owner = annotations[ownerAnnotations.uid];
  const isNamed = secret.type === tokenType && annotations[ownerAnnotations.name] === name;
  return isNamed && (!owner || owner === uid);
}

function isGood(secret: KubeObject, account: KubeObject): boolean {
  const isLeaving = secret.metadata.deletionTimestamp !== undefined;
  return belongsTo(secret, account) && !isLeaving && Boolean(part<Data>(secret, 'data').token);
}

export class TokenSecrets {
  /** Token creation in progress, by the uid of the account. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(
    readonly accounts: Pick<Store<ServiceAccount>, 'find' | 'updateInternally'>,
    readonly secrets: Pick<Store, 'find' | 'create'>,
    readonly issuer: TokenIssuer,
    /** How long another server may take to create the token of a new account, in milliseconds; 0 without others. */
    readonly othersMillis = 0,
  ) {}

  /** Returns the account that a token Secret names, or undefined if the account is absent or a different one now. */
  async accountOf(secret: KubeObject, namespace: string): Promise<ServiceAccount | undefined> {
    const name = secret.metadata.annotations?.[ownerAnnotations.name] ?? '';
    const account = (await this.accounts.find({ namespace, name }))?.value;
    return account !== undefined && belongsTo(secret, account) ? account : undefined;
  }

  /** Returns the Secret with the token, namespace and CA of an account, or the same Secret if it has them already. */
  async completed<Secret extends KubeObject | DecodedObject>(secret: Secret, account: KubeObject): Promise<Secret> {
    const { namespace = '', name = '', uid = '' } = account.metadata;
    const data = part<Data>(secret, 'data');
    const { annotations = {} } = secret.metadata;
    const wanted: Data = { 'ca.crt': base64(this.issuer.ca), namespace: base64(namespace), token: data.token ?? '' };
    const isComplete = Object.entries(wanted).every(([key, value]) => value !== '' && data[key] === value);
    if (isComplete && annotations[ownerAnnotations.uid] === uid) return secret;
    const subject = { namespace, secret: secret.metadata.name ?? '', account: name, uid };
    const token = wanted.token || base64(await this.issuer.issue(subject));
    const owned = { ...annotations, [ownerAnnotations.uid]: uid };
    return {
      ...secret,
      metadata: { ...secret.metadata, annotations: owned },
      data: { ...data, ...wanted, token },
    };
  }

  /** Returns the name of the first valid token Secret that an account refers to, or undefined. */
  async find(account: ServiceAccount): Promise<string | undefined> {
    const { namespace } = account.metadata;
    for (const name of secretNamesOf(account)) {
      const secret = (await this.secrets.find({ namespace, name }))?.value;
      if (secret !== undefined && isGood(secret, account)) return name;
    }
    return undefined;
  }

  /**
   * Announces a new account and returns the function to call after its write, which creates its token. Until then,
   * `ensure` waits for this token. The controller retries a failed creation.
   */
  begin(account: ServiceAccount): (written: boolean) => Promise<void> {
    const { uid = '', name: owner = '' } = account.metadata;
    let ended = () => {};
    const making = new Promise<void>((resolve) => {
      ended = resolve;
    });
    this.#underWay.set(uid, making);
    const name = secretNamesOf(account).findLast((each) => isTokenName(owner, each));
    return async (written) => {
      try {
        if (written && name !== undefined) await this.#create(account, name).catch(() => {});
      } finally {
        if (this.#underWay.get(uid) === making) this.#underWay.delete(uid);
        ended();
      }
    };
  }

  /**
   * Returns the name of a valid token Secret that an account refers to, and creates one if necessary. Returns undefined
   * if the account is gone or its namespace accepts no Secrets.
   */
  async ensure(account: ServiceAccount): Promise<string | undefined> {
    const { uid = '' } = account.metadata;
    const making = Promise.resolve(this.#underWay.get(uid)).then(() => this.#ensure(account));
    const settled = making.catch(() => undefined);
    this.#underWay.set(uid, settled);
    try {
      return await making;
    } finally {
      if (this.#underWay.get(uid) === settled) this.#underWay.delete(uid);
    }
  }

  async #ensure({ metadata: { namespace, name: owner = '', uid } }: ServiceAccount): Promise<string | undefined> {
    const key = { namespace, name: owner };
    const account = (await this.accounts.find(key))?.value;
    if (account === undefined || account.metadata.uid !== uid || account.metadata.deletionTimestamp !== undefined) {
      return undefined;
    }
    const found = await this.find(account);
    if (found !== undefined) return found;
    if (this.#isComing(account)) return undefined;
    const name = newTokenName(owner);
    try {
      await this.#create(account, name);
      await this.accounts.updateInternally(key, (current) => withReference(current, name));
      return name;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return undefined;
    }
  }

  /** Reports whether the server that has just created an account may be about to create its token. */
  #isComing({ metadata: { name = '', creationTimestamp = '' }, ...account }: ServiceAccount): boolean {
    if (this.othersMillis === 0 || !secretNamesOf(account).some((each) => isTokenName(name, each))) return false;
    return Math.abs(Date.now() - Date.parse(creationTimestamp)) < this.othersMillis;
  }

  /** Admission adds the data of the Secret. */
  async #create({ metadata: { namespace, name: owner = '', uid = '' } }: KubeObject, name: string): Promise<void> {
    const annotations = { [ownerAnnotations.name]: owner, [ownerAnnotations.uid]: uid };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, annotations }, type: tokenType };
    await this.secrets.create(namespace, secret);
  }
}

/** Returns the account with a reference to a new token and without references to earlier tokens. */
function withReference(account: ServiceAccount, name: string): ServiceAccount {
  const { secrets = [] } = account;
  const owner = account.metadata.name ?? '';
  const others = secrets.filter((each) => !isTokenName(owner, each.name ?? ''));
  return { ...account, secrets: [...others, { name }] };
}
