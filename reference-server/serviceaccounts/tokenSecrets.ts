// The Secrets that hold the tokens of service accounts: which are good, what they hold, and one for every account.
import { StatusError } from '../errors.js';
import { generateName, isGeneratedFrom } from '../registry/metadata.js';
import type { Registry } from '../registry/registry.js';
import type { Place } from '../registry/update.js';
import { type Draft, type KubeObject, part } from '../schema/object.js';
import type { TokenIssuer } from './tokenIssuer.js';

/** The type of a Secret that holds a token. */
export const tokenType = 'kubernetes.io/service-account-token';
/** The annotations that say whose token it is. */
const ownerAnnotations = {
  name: 'kubernetes.io/service-account.name',
  uid: 'kubernetes.io/service-account.uid',
};

type Data = Readonly<Record<string, string>>;

export interface ServiceAccount extends KubeObject {
  readonly secrets?: readonly { readonly name?: string }[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The names that an account refers to. */
export function namesIn({ secrets = [] }: Pick<ServiceAccount, 'secrets'>): string[] {
  return secrets.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

/** A name for a new token Secret of an account. */
export function newTokenName(account: string): string {
  return generateName(`${account}-token-`);
}

/** Whether a name is one that the server gives to the token Secrets of an account. */
export function isTokenName(account: string, name: string): boolean {
  return isGeneratedFrom(`${account}-token-`, name);
}

/** Whether a Secret is there for a token of this very account, and not of an earlier one of its name. */
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
  /** By the uid of an account: the making of its token that is under way. */
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(
    readonly registry: Registry,
    readonly issuer: TokenIssuer,
  ) {}

  /** The account that a token Secret names; undefined where it is not there, or is another one by now. */
  async accountOf(secret: KubeObject, namespace: string): Promise<ServiceAccount | undefined> {
    const name = secret.metadata.annotations?.[ownerAnnotations.name] ?? '';
    const account = await this.#read('core/serviceaccounts', { namespace, name });
    return account !== undefined && belongsTo(secret, account) ? account : undefined;
  }

  /** The Secret of an account with what it has to hold; itself where it does already. */
  async completed<Secret extends KubeObject | Draft>(secret: Secret, account: KubeObject): Promise<Secret> {
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

  /** The first good token Secret that an account refers to. */
  async find(account: ServiceAccount): Promise<string | undefined> {
    const { namespace } = account.metadata;
    for (const name of namesIn(account)) {
      const secret = await this.#read('core/secrets', { namespace, name });
      if (secret !== undefined && isGood(secret, account)) return name;
    }
    return undefined;
  }

  /**
   * Announces a new account: its token is made when it is written. Until then nobody else makes one. What fails is
   * left to the controller, which tries again.
   */
  begin(account: ServiceAccount): (written: boolean) => Promise<void> {
    const { uid = '', name: owner = '' } = account.metadata;
    let ended = () => {};
    const making = new Promise<void>((resolve) => {
      ended = resolve;
    });
    this.#underWay.set(uid, making);
    const name = namesIn(account).findLast((each) => isTokenName(owner, each));
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
   * The name of a good token Secret that an account refers to, made where it has none. Undefined where it cannot have
   * one: it is gone, or its namespace lets no Secret in.
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
    const place = { namespace, name: owner };
    const account = await this.#read('core/serviceaccounts', place);
    if (account === undefined || account.metadata.uid !== uid || account.metadata.deletionTimestamp !== undefined) {
      return undefined;
    }
    const found = await this.find(account);
    if (found !== undefined) return found;
    const name = newTokenName(owner);
    try {
      await this.#create(account, name);
      await this.registry.of('core/serviceaccounts').amend(place, (current) => withReference(current, name));
      return name;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      return undefined;
    }
  }

  /** Admission fills in what it holds. */
  async #create({ metadata: { namespace, name: owner = '', uid = '' } }: KubeObject, name: string): Promise<void> {
    const annotations = { [ownerAnnotations.name]: owner, [ownerAnnotations.uid]: uid };
    await this.registry
      .of('core/secrets')
      .create(namespace, { apiVersion: 'v1', kind: 'Secret', metadata: { name, annotations }, type: tokenType });
  }

  async #read(resource: string, place: Place): Promise<KubeObject | undefined> {
    try {
      return (await this.registry.of(resource).get(place)).value as KubeObject;
    } catch (error) {
      if (error instanceof StatusError && error.code === 404) return undefined;
      throw error;
    }
  }
}

/** An account that refers to a new token, and no longer to those that are gone. */
function withReference(account: ServiceAccount, name: string): ServiceAccount {
  const { secrets = [] } = account;
  const owner = account.metadata.name ?? '';
  const others = secrets.filter((each) => !isTokenName(owner, each.name ?? ''));
  return { ...account, secrets: [...others, { name }] };
}
