import { mapConcurrently } from '../../base/concurrency';
import type { Diagnostic } from '../../base/diagnostic';
import { valueAt } from '../../base/json';
import { readAnswer } from '../client/api-answer';
import { type ApiClient, type ApiClientOptions, withApiClient } from '../client/api-client';
import type { ClusterAccess } from '../client/cluster-access';
import {
  discoverResources,
  type Discovery,
  listCollections,
  MAX_CONCURRENT_DISCOVERIES,
  readServerVersion,
} from '../client/list-objects';
import { UnreachableError } from '../client/unreachable-error';
import { REQUIRED_APIS, servedApiChecks, versionCheck } from './api-checks';
import {
  type DoctorCheck,
  type ExaminedCluster,
  OBSERVED_LISTS,
  type ObservedCluster,
  type Permission,
  type PermissionReview,
} from './check';
import { backendVersionChecks } from './backend-checks';
import { bucketDriverCheck, deviceClassCheck, storageClassCheck } from './class-checks';
import { examinePools } from './examine-pools';
import { gatewayControllerCheck } from './gateway-checks';
import { devicesCheck, driverLabelCheck, nodesCheck, taintsCheck } from './node-pool-checks';
import { listRequiredPermissions, permissionsCheck } from './permission-checks';
import { endpointPickerCheck } from './picker-checks';

/** All checks. A check that others depend on runs before them. */
const CHECKS: readonly DoctorCheck[] = [
  versionCheck,
  ...servedApiChecks,
  deviceClassCheck,
  driverLabelCheck,
  nodesCheck,
  taintsCheck,
  devicesCheck,
  gatewayControllerCheck,
  endpointPickerCheck,
  ...backendVersionChecks,
  storageClassCheck,
  bucketDriverCheck,
  permissionsCheck,
];

/** Runs all checks on an observed cluster, also after one fails. */
export function runChecks(examined: ExaminedCluster): Diagnostic[] {
  const at = examined.cluster.metadata.name;
  const checked = { ...examined, pools: examinePools(examined) };
  return CHECKS.flatMap(({ name, look }) => look(checked).map((result) => ({ code: name, at, ...result })));
}

/** Observes a cluster and runs all checks. Returns the error if the cluster does not answer. */
export async function examineCluster(
  examined: Omit<ExaminedCluster, 'seen'>,
  access: ClusterAccess,
  options: ApiClientOptions,
): Promise<Diagnostic[] | UnreachableError> {
  const rights = listRequiredPermissions(examined);
  return withApiClient(access, options, async (api) =>
    runChecks({ ...examined, seen: await observeCluster(api, rights) }),
  );
}

async function observeCluster(api: ApiClient, rights: readonly Permission[]): Promise<ObservedCluster> {
  const version = await readServerVersion(api);
  const lists = await listCollections(api, OBSERVED_LISTS);
  const versions = [...new Set(REQUIRED_APIS.map(({ apiVersion }) => apiVersion))];
  const discovered = await mapConcurrently(MAX_CONCURRENT_DISCOVERIES, versions, async (apiVersion) => ({
    apiVersion,
    found: await discoverResources(api, apiVersion),
  }));
  return { version, lists, ...summarizeDiscoveries(discovered), rights: await reviewPermissions(api, rights) };
}

function summarizeDiscoveries(
  discovered: readonly { readonly apiVersion: string; readonly found: Discovery }[],
): Required<Pick<ObservedCluster, 'served' | 'undiscovered'>> {
  const served = discovered.flatMap(({ apiVersion, found }) =>
    'resources' in found ? [...found.resources.keys()].map((kind) => `${apiVersion} ${kind}`) : [],
  );
  const undiscovered = discovered.flatMap(({ apiVersion, found }) =>
    'missing' in found && found.missing !== 'unserved' ? [[apiVersion, found.why] as const] : [],
  );
  return { served: new Set(served), undiscovered: new Map(undiscovered) };
}

const ACCESS_REVIEWS_PATH = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';

const ACCESS_REVIEW = { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview' } as const;

const MAX_CONCURRENT_REVIEWS = 8;

/** Reviews permissions on the API server: first for the whole cluster, and where that is denied, in each namespace. */
export function reviewPermissions(api: ApiClient, rights: readonly Permission[]): Promise<PermissionReview[]> {
  return mapConcurrently(MAX_CONCURRENT_REVIEWS, rights, async (right) => ({
    right,
    answer: await reviewPermission(api, right),
  }));
}

async function reviewPermission(api: ApiClient, right: Permission): Promise<PermissionReview['answer']> {
  try {
    if (await isAllowed(api, right)) return {};
    const denied: string[] = [];
    for (const namespace of right.namespaces ?? []) {
      if (!(await isAllowed(api, right, namespace))) denied.push(namespace);
    }
    return right.namespaces && denied.length === 0 ? {} : { denied };
  } catch (error) {
    if (error instanceof UnreachableError) return { unknown: error.message };
    throw error;
  }
}

async function isAllowed(api: ApiClient, { verb, group, resource }: Permission, namespace?: string): Promise<boolean> {
  const resourceAttributes = { verb, group, resource, ...(namespace !== undefined && { namespace }) };
  const response = await api.review(ACCESS_REVIEWS_PATH, { ...ACCESS_REVIEW, spec: { resourceAttributes } });
  const answer = readAnswer(response, { ...ACCESS_REVIEW, status: 201 });
  if ('missing' in answer) throw new UnreachableError(answer.why);
  return valueAt(answer.body, ['status', 'allowed']) === true;
}
