import { isAutoscaledDeployment } from '../../api/engine-copies';
import { backendTypeOf, podGroupApiOf } from '../../api/kubernetes-features';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import { sharedStorageClassOf } from '../../fleet/hardware/shared-storage';
import { SYSTEM_NAMESPACE } from '../../manifest/kubernetes/object-names';
import { mayHoldCaches } from '../../provision/cache-drivers';
import { type CheckResult, reportFailure, reportOk, reportUnknown } from '../finding';
import {
  type ClusterDeclaration,
  type DoctorCheck,
  hasAutoscaledEngines,
  hasTopologies,
  needsRelease,
  type Permission,
  type PermissionReview,
  VERBS,
} from './check';

/** Resource types that are rendered under the same condition. */
interface PermissionGroup {
  readonly isNeeded: (declared: ClusterDeclaration) => boolean;
  readonly resources: Readonly<Record<string, readonly string[]>>;
  readonly namespaces?: (declared: ClusterDeclaration) => readonly string[];
}

const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  { isNeeded: ({ cluster }) => cluster.spec.namespaces === 'Managed', resources: { '': ['namespaces'] } },
  {
    isNeeded: ({ cluster }) => cluster.spec.nodePools.length > 0,
    resources: {
      '': ['services'],
      apps: ['deployments'],
      policy: ['poddisruptionbudgets'],
      'networking.k8s.io': ['networkpolicies'],
    },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: ({ cluster }) => cluster.spec.dra && cluster.spec.nodePools.length > 0,
    resources: { 'resource.k8s.io': ['resourceclaimtemplates'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: needsRelease('leaderWorkerSet'),
    resources: { 'leaderworkerset.x-k8s.io': ['leaderworkersets'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: ({ cluster }) => cluster.spec.nodePools.some(({ rack }) => rack !== undefined),
    resources: { 'resource.nvidia.com': ['computedomains'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  { isNeeded: hasTopologies, resources: { 'kai.scheduler': ['topologies'] } },
  {
    isNeeded: ({ cluster }) => podGroupApiOf(cluster) !== undefined,
    resources: { 'scheduling.k8s.io': ['podgroups'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: ({ cluster }) => backendTypeOf(cluster) === 'KServe',
    resources: { 'serving.kserve.io': ['llminferenceserviceconfigs', 'llminferenceservices'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: ({ cluster }) => backendTypeOf(cluster) === 'Dynamo',
    resources: { 'nvidia.com': ['dynamographdeployments'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: hasAutoscaledEngines,
    resources: { 'keda.sh': ['scaledobjects'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments.filter(isAutoscaledDeployment)),
  },
  {
    isNeeded: ({ cluster }) => sharedStorageClassOf(cluster) !== undefined,
    resources: { '': ['persistentvolumeclaims'], batch: ['jobs', 'cronjobs'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.caches),
  },
  {
    isNeeded: ({ cluster, fleet }) => mayHoldCaches(cluster, fleet, 'S3Mounts'),
    resources: { '': ['persistentvolumes'] },
  },
  {
    isNeeded: ({ cluster, fleet }) =>
      sharedStorageClassOf(cluster) === undefined &&
      (['S3Mounts', 'BlockSnapshots'] as const).some((need) => mayHoldCaches(cluster, fleet, need)),
    resources: { '': ['persistentvolumeclaims'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.caches),
  },
  {
    isNeeded: ({ fleet }) => fleet.caches.some(({ spec }) => spec.source === 'Inline'),
    resources: { '': ['configmaps'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.caches.filter(({ spec }) => spec.source === 'Inline')),
  },
  { isNeeded: needsRelease('envoyGateway'), resources: { 'gateway.networking.k8s.io': ['gatewayclasses'] } },
  {
    isNeeded: needsRelease('envoyGateway'),
    resources: {
      'gateway.networking.k8s.io': ['gateways', 'httproutes', 'backendtlspolicies'],
      'gateway.envoyproxy.io': ['envoyproxies', 'backends', 'backendtrafficpolicies', 'securitypolicies'],
    },
    namespaces: ({ fleet }) => sortUnique([SYSTEM_NAMESPACE, ...namespacesOf(fleet.services)]),
  },
  {
    isNeeded: needsRelease('prometheus'),
    resources: { 'monitoring.coreos.com': ['podmonitors', 'prometheusrules'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
];

/** Lists the permissions that applying the manifests of a cluster needs. */
export function listRequiredPermissions(declared: ClusterDeclaration): Permission[] {
  return PERMISSION_GROUPS.filter(({ isNeeded }) => isNeeded(declared)).flatMap(({ resources, namespaces }) => {
    const where = namespaces?.(declared);
    if (where?.length === 0) return [];
    const all = Object.entries(resources).flatMap(([group, names]) => names.map((resource) => ({ group, resource })));
    return all.flatMap((one) => VERBS.map((verb) => ({ verb, ...one, ...(where && { namespaces: where }) })));
  });
}

/** Checks that the user has the permissions to apply the rendered manifests. */
export const permissionsCheck: DoctorCheck = {
  name: 'permissions',
  look({ seen }): readonly CheckResult[] {
    const denied = seen.rights.filter(({ answer }) => 'denied' in answer);
    const unknown = seen.rights.flatMap(({ answer }) => ('unknown' in answer ? [answer.unknown] : []));
    const [why] = unknown;
    const unasked = `${pluralize(unknown.length, 'permission')} could not be checked`;
    const count = seen.rights.length - denied.length - unknown.length;
    return [
      ...denied.map(reportDenied),
      ...(why === undefined ? [] : [reportUnknown(unasked, `Try again: ${why}`)]),
      ...(denied.length === 0 && count > 0 ? [reportOk(`${pluralize(count, 'permission')} granted`)] : []),
    ];
  },
};

function reportDenied({ right: { verb, group, resource }, answer }: PermissionReview): CheckResult {
  const where = 'denied' in answer ? (answer.denied ?? []) : [];
  const place = where.length > 0 ? ` in ${joinNames(where)}` : '';
  const what = `may not ${verb} ${resource}${group === '' ? '' : `.${group}`}${place}`;
  return reportFailure(what, 'Grant it to the user that applies the manifests, or run the command as that user');
}

function namespacesOf(resources: readonly { readonly metadata: { readonly namespace?: string } }[]): string[] {
  return sortUnique(resources.flatMap(({ metadata }) => metadata.namespace ?? []));
}
