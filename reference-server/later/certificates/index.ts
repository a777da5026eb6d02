// Certificate signing requests as an addon: who asks, who decides, and the certificates of what is approved.
import { CertificateError, readNamedRequest } from '../../../test-certs/index.js';
import type { Addon } from '../../addons.js';
import type { Plugin } from '../../admission/plugin.js';
import { authorizer, type Decide } from '../../authorization/authorizer.js';
import { forbidden } from '../../errors.js';
import type { ApiRequest } from '../../request.js';
import type { DecodedObject } from '../../schema/object.js';
import { createAs } from '../../verbs/create.js';
import { patchPart } from '../../verbs/patch.js';
import { readStatus } from '../../verbs/read.js';
import { replacePart } from '../../verbs/replace.js';
import { clientAuthority } from './authority.js';
import { resource, signingController } from './controller.js';
import { signerRights } from './rights.js';
import { signerNames } from './signers.js';
import { specOf, textIn } from './strategy.js';

/** Says who sends a request, whatever the request says itself. */
function asSender(object: DecodedObject, { user: { name: username, uid, groups, extra } }: ApiRequest): DecodedObject {
  const { username: _name, uid: _uid, groups: _groups, extra: _extra, ...spec } = (object.spec ?? {}) as Sent;
  return { ...object, spec: { ...spec, username, ...(uid && { uid }), groups, ...(extra && { extra }) } };
}

interface Sent {
  readonly username?: unknown;
  readonly uid?: unknown;
  readonly groups?: unknown;
  readonly extra?: unknown;
}

const administrators = 'system:masters';

/** Nobody becomes an administrator by a certificate. */
const subjectRestriction: Plugin = {
  resources: [resource],
  async validate({ object, before, resource: asked }) {
    const { signerName, request } = specOf(object);
    if (before !== undefined || signerName !== signerNames.client || !isForAdministrators(request)) return;
    const why = `use of ${signerName} signer with ${administrators} group is not allowed`;
    throw forbidden(asked, object.metadata.name ?? '', why);
  },
};

function isForAdministrators(request: string | undefined): boolean {
  try {
    return readNamedRequest(textIn(request)).organizations.includes(administrators);
  } catch (error) {
    if (error instanceof CertificateError) return false;
    throw error;
  }
}

export function certificates(): Addon {
  let { decide }: { decide: Decide } = authorizer('AlwaysAllow');
  return {
    creates: { [resource]: createAs(asSender) },
    verbs: {
      readApproval: readStatus,
      replaceApproval: replacePart('approval'),
      patchApproval: patchPart('approval'),
    },
    partsOf({ controllerRegistry, signingKey, now, lacks, authorizationMode }) {
      // Where all users have all rights, no write waits for a question.
      const rights = authorizationMode === 'AlwaysAllow' ? [] : [signerRights(() => decide)];
      const admission = [subjectRestriction, ...rights];
      if (lacks('certificate-signing')) return { admission };
      const issuer = clientAuthority(signingKey);
      return {
        admission,
        controllers: [signingController(controllerRegistry.of(resource), issuer, now)],
        clientAuthority: issuer.certificate,
      };
    },
    serve({ cluster, options: { authorizationMode } }) {
      ({ decide } = cluster?.authorizer ?? authorizer(authorizationMode));
      return {};
    },
  };
}
