import type { FleetDiff } from '../../diff/fleet-diff';
import type { Plan } from '../../plan/plan';
import { formatCode } from '../document/write-markdown';

/** Lists what goes from clusters that stay, apart from replicas: ingress gateways, queues and volumes of caches. */
export function listObjectClauses(diff: FleetDiff, { warnings }: Pick<Plan, 'warnings'>): string[] {
  const gone = new Set(diff.declarations.flatMap(({ id, action }) => (action === 'removed' ? [id] : [])));
  const stays = ({ cluster }: { readonly cluster: string }): boolean => !gone.has(`InferenceCluster ${cluster}`);
  const deleted = diff.objects.filter((one) => one.action === 'delete' && stays(one));
  const claims = deleted.filter(({ kind }) => kind === 'PersistentVolumeClaim');
  const gateways = diff.routes.gateways.filter((one) => one.kind === 'front' && one.action === 'remove' && stays(one));
  const queues = deleted.filter(({ kind }) => kind === 'ClusterQueue');
  const caches = diff.caches.filter(({ action, cache, cluster }) => {
    const [namespace] = cache.split('/');
    return action === 'drop' && claims.some((claim) => claim.cluster === cluster && claim.namespace === namespace);
  });
  return [
    ...gateways.map((one) => nameOn('removes the ingress gateway', one.gateway ?? '', one.cluster)),
    ...queues.map(({ name, cluster }) => nameOn('deletes the ClusterQueue', name, cluster)),
    ...caches.map(({ cache, cluster }) => nameOn('deletes the volume claim of the cache', cache, cluster)),
    ...(warnings.some(({ code }) => code === 'rejected-change')
      ? ['changes workloads in a way that Kueue rejects while their pods are ready']
      : []),
  ];
}

function nameOn(what: string, name: string, cluster: string): string {
  return `${what} ${formatCode(name)} on ${formatCode(cluster)}`;
}
