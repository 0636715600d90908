import type { Claim, ClaimForm } from '../scheduler/fit-on-node';
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
  const constraints = constraintsOf(member, claims);
  const devices = { requests: claims.map(request), ...(constraints.length > 0 && { constraints }) };
  const spec = { spec: { devices } };
  const name = claimTemplateName(deployment.metadata, engine.name, member.role, JSON.stringify(spec));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: objectMeta(deployment, name, labelsOf(subject)),
    spec,
  };
}

/** A request in its one form, or in the alternatives that the pool has. */
function request({ request, forms }: Claim): JsonObject {
  const [first] = forms;
  if (first && first.name === undefined) return { name: request, exactly: formOf(first) };
  return { name: request, firstAvailable: forms.map((form) => ({ name: form.name ?? '', ...formOf(form) })) };
}

function formOf({ deviceClassName, count, selectors }: ClaimForm): JsonObject {
  return {
    deviceClassName,
    allocationMode: 'ExactCount',
    count,
    selectors: selectors.map((expression) => ({ cel: { expression } })),
  };
}

/** The constraints on devices that are claimed; synthetic ones are in no claim. */
function constraintsOf({ nodeSelector }: ComputedMember['member'], claims: readonly Claim[]): JsonObject[] {
  const claimed = new Set(claims.map(({ request }) => request));
  return (nodeSelector?.constraints ?? []).flatMap(({ matchAttribute, distinctAttribute, requests }) => {
    const concerned = requests.filter((name) => claimed.has(name));
    if (requests.length > 0 && concerned.length === 0) return [];
    const attribute = matchAttribute === undefined ? { distinctAttribute } : { matchAttribute };
    return [{ ...(concerned.length > 0 && { requests: concerned }), ...attribute }];
  });
}
