import { sortedBy } from '../../order';
import { releasesNeeded } from '../../provision/releases/releases-of';
import { sharedStorageClass } from '../../render/cache/storage-class';
import { SYSTEM_NAMESPACE } from '../../render/names';
import { plural, shortList } from '../../plan/format';
import { failure, ok, type Said, unknown } from '../finding';
import type { Check, DoctorSite } from './site';

/** What whoever applies manifests has to be allowed. Server-side apply creates and patches. */
export const VERBS = ['create', 'patch'] as const;

/** One permission that is asked for. */
export interface Right {
  readonly verb: (typeof VERBS)[number];
  readonly group: string;
  readonly resource: string;

  /** Where it is needed. Absent for kinds that are in no namespace. */
  readonly namespaces?: readonly string[];
}

/** A permission, and what the API server says to it. */
export interface AnsweredRight {
  readonly right: Right;

  /** `denied`: the namespaces where it is, or the whole cluster where that is empty. */
  readonly answer: { readonly denied?: readonly string[] } | { readonly unknown: string };
}

/** Kinds that we render together, where they are needed. */
interface Group {
  readonly isNeeded: (site: Asking) => boolean;
  readonly resources: Readonly<Record<string, readonly string[]>>;
  readonly namespaces?: (site: Asking) => readonly string[];
}

type Asking = Pick<DoctorSite, 'cluster' | 'fleet'>;

function needs(key: string): (site: Asking) => boolean {
  return ({ cluster, fleet }) => releasesNeeded(cluster, fleet).some((one) => one.key === key);
}

const GROUPS: readonly Group[] = [
  {
    isNeeded: ({ cluster }) => cluster.spec.namespaces === 'Managed',
    resources: { '': ['namespaces'] },
  },
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
    isNeeded: needs('leaderWorkerSet'),
    resources: { 'leaderworkerset.x-k8s.io': ['leaderworkersets'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.deployments),
  },
  {
    isNeeded: ({ cluster }) => sharedStorageClass(cluster) !== undefined,
    resources: { '': ['persistentvolumeclaims'], batch: ['jobs', 'cronjobs'] },
    namespaces: ({ fleet }) => namespacesOf(fleet.caches),
  },
  {
    isNeeded: needs('envoyGateway'),
    resources: { 'gateway.networking.k8s.io': ['gatewayclasses'] },
  },
  {
    isNeeded: needs('envoyGateway'),
    resources: {
      'gateway.networking.k8s.io': ['gateways', 'httproutes', 'backendtlspolicies'],
      'gateway.envoyproxy.io': ['envoyproxies', 'backends', 'backendtrafficpolicies', 'securitypolicies'],
    },
    namespaces: ({ fleet }) => sorted([SYSTEM_NAMESPACE, ...namespacesOf(fleet.services)]),
  },
];

/** What whoever applies the manifests of a cluster has to be allowed there. */
export function rightsNeeded(site: Asking): Right[] {
  return GROUPS.filter(({ isNeeded }) => isNeeded(site)).flatMap(({ resources, namespaces }) => {
    const where = namespaces?.(site);
    if (where?.length === 0) return [];
    return Object.entries(resources).flatMap(([group, names]) =>
      names.flatMap((resource) =>
        VERBS.map((verb) => ({ verb, group, resource, ...(where && { namespaces: where }) })),
      ),
    );
  });
}

/** Whether whoever asks may apply what we render. */
export const rights: Check = {
  name: 'permissions',
  look({ seen }): readonly Said[] {
    const denied = seen.rights.filter(({ answer }) => 'denied' in answer);
    const unclear = seen.rights.flatMap(({ answer }) => ('unknown' in answer ? [answer.unknown] : []));
    const [why] = unclear;
    const count = seen.rights.length - denied.length - unclear.length;
    return [
      ...denied.map(denial),
      ...(why === undefined
        ? []
        : [unknown(`${plural(unclear.length, 'permission')} could not be asked for`, `Try again: ${why}`)]),
      ...(denied.length === 0 && count > 0 ? [ok(`${plural(count, 'permission')} granted`)] : []),
    ];
  },
};

function denial({ right: { verb, group, resource }, answer }: AnsweredRight): Said {
  const where = 'denied' in answer ? (answer.denied ?? []) : [];
  const place = where.length > 0 ? ` in ${shortList(where)}` : '';
  const what = `may not ${verb} ${resource}${group === '' ? '' : `.${group}`}${place}`;
  return failure(what, 'Grant it to whoever applies the manifests, or ask as them');
}

function namespacesOf(
  resources: readonly { readonly metadata: { readonly namespace?: string } }[],
): string[] {
  return sorted(resources.flatMap(({ metadata }) => metadata.namespace ?? []));
}

function sorted(names: readonly string[]): string[] {
  return sortedBy(new Set(names), (name) => name);
}
