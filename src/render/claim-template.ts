import type { Claim } from '../scheduler/matcher';
import { labelsOf } from './labels';
import type { JsonObject, Manifest } from './manifest';
import { claimTemplateName } from './names';
import { objectMeta } from './object-meta';
import type { ComputedEngine, ComputedMember, ComputedReplica } from './replica';

/**
 * The template from which each pod of a member gets its claim, or nothing for pods that claim nothing. Replicas
 * whose pods ask for the same share it, so it does not say which replica it is for.
 */
export function claimTemplate(
  { deployment, cluster }: ComputedReplica,
  { engine }: ComputedEngine,
  { member, claims }: ComputedMember,
): Manifest | undefined {
  if (claims.length === 0) return undefined;
  const subject = { deployment, cluster: cluster.metadata.name, engine: engine.name, role: member.role };
  const spec = { spec: { devices: { requests: claims.map(request) } } };
  const name = claimTemplateName(deployment.metadata, engine.name, member.role, JSON.stringify(spec));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: objectMeta(deployment, name, labelsOf(subject)),
    spec,
  };
}

function request({ request, deviceClassName, count, selectors }: Claim): JsonObject {
  return {
    name: request,
    exactly: {
      deviceClassName,
      allocationMode: 'ExactCount',
      count,
      selectors: selectors.map((expression) => ({ cel: { expression } })),
    },
  };
}
