import { SYNC_WAVE } from '../../src/manifest/kubernetes/labels-and-annotations';
import type { Manifest } from '../../src/manifest/kubernetes/manifest';
import { findReferences } from '../../src/manifest/kubernetes/references';
import type { AccountAnnotations } from '../cloud/cluster';
import type { ObjectArgs } from './kubernetes-objects';

/** The ServiceAccounts with identities in the cloud that objects use, without the annotations that name the identities. */
export function listCloudAccounts(manifests: readonly Manifest[], accounts: AccountAnnotations = NONE): Manifest[] {
  if (accounts.size === 0) return [];
  const used = new Set(
    manifests.flatMap(findReferences).flatMap((one) => (one.kind === 'ServiceAccount' ? [idOf(one)] : [])),
  );
  return [...accounts.keys()].flatMap((id) => {
    const [namespace = '', name = ''] = id.split('/');
    // Without labels: no declaration accounts for it, so `status` would report it as left over.
    const metadata = { name, namespace, labels: {}, annotations: { [SYNC_WAVE]: '-1' } };
    return used.has(id) ? [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata }] : [];
  });
}

/** Adds the annotations that name the identity of a ServiceAccount. */
export function annotateAccount({ kind, metadata }: Manifest, args: ObjectArgs, accounts = NONE): ObjectArgs {
  const more = kind === 'ServiceAccount' ? accounts.get(idOf(metadata)) : undefined;
  if (!more) return args;
  const changed = (args['metadata'] ?? {}) as Manifest['metadata'];
  return { ...args, metadata: { ...changed, annotations: { ...changed.annotations, ...more } } };
}

const NONE: AccountAnnotations = new Map();

function idOf({ namespace = '', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}
