// The subject sets of the subresources: status, scale, rollback, finalize, binding, and the end of a namespace.
import { perOperation, perPatchType, type Subject, stated, type Table } from './build.js';

/** Returns the subject sets of this file for the operations of a table. */
export function subresourcesSetsOf({ withVerbs }: Table) {
  const statusReplaces = withVerbs('replaceStatus');
  const statusPatches = withVerbs('patchStatus');
  const withStatus = new Set(statusReplaces.map(({ resource }) => resource));
  const scaleReplaces = withVerbs('replaceScale');
  const scalePatches = withVerbs('patchScale');
  const bindings = withVerbs('create').filter(({ resource }) => resource?.plural === 'bindings');

  return {
    statusReads: perOperation(withVerbs('readStatus')),
    statusReplaces: perOperation(statusReplaces),
    statusPatches: perPatchType(statusPatches),
    statusWrites: [...perOperation(statusReplaces), ...perPatchType(statusPatches)],
    mainWrites: perOperation(
      // A node may register itself with its status.
      withVerbs('create', 'replace', 'patch').filter(
        ({ resource, verb }) => withStatus.has(resource) && !(verb === 'create' && resource?.kind === 'Node'),
      ),
    ),
    refusedStatuses: perOperation(statusReplaces),
    statusesOfAbsent: perOperation(withVerbs('readStatus', 'replaceStatus', 'patchStatus')),
    sameReplaces: perOperation([...statusReplaces, ...scaleReplaces]),
    scaleReads: perOperation(withVerbs('readScale')),
    scaleReplaces: perOperation(scaleReplaces),
    scalePatches: perPatchType(scalePatches),
    scaleWrites: [...perOperation(scaleReplaces), ...perPatchType(scalePatches)],
    refusedScales: perOperation(scaleReplaces),
    scalesOfAbsent: perOperation(withVerbs('readScale', 'replaceScale', 'patchScale')),
    rollbacks: perOperation(withVerbs('rollback')),
    limitedHistories: perOperation(withVerbs('rollback')),
    refusedRollbacks: perOperation(withVerbs('rollback')),
    finalizes: perOperation(withVerbs('finalize')),
    refusedFinalizes: perOperation(withVerbs('finalize')),
    namespaceLives: perOperation(withVerbs('delete').filter(({ resource }) => resource?.plural === 'namespaces')),
    keptNamespaces: perOperation(withVerbs('delete').filter(({ resource }) => resource?.plural === 'namespaces')),
    collectionBindings: perOperation(bindings),
    podBindings: perOperation(withVerbs('bind')),
    bindings: perOperation([...bindings, ...withVerbs('bind')]),
    refusedBindings: perOperation([...bindings, ...withVerbs('bind')]),
    strayBindings: perOperation(withVerbs('bind')),
  } as const satisfies Record<string, readonly Subject[]>;
}

export const subresourcesSets = subresourcesSetsOf(stated);
