import type { DeviceRequest } from '../api/device-request';
import { NEVER_PRUNED, objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { claimTemplateNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../replicas/replica';
import type { Claim, ClaimForm } from '../scheduler/devices/pod-fit';

/**
 * The template from which each pod of a member gets its claim, or nothing for pods that claim nothing. Replicas
 * whose pods ask for the same share it, so it does not say which replica it is for.
 *
 * Its spec is immutable, so other content has another name, and the template of before stays when its manifest goes:
 * while pods are replaced one by one, and when that is undone, pods of the old revision are still made from it.
 */
export function renderClaimTemplate(
  { deployment, cluster }: ComputedReplica,
  { engine }: ComputedEngine,
  { member, claims }: ComputedMember,
): Manifest | undefined {
  if (claims.length === 0) return undefined;
  const subject = { deployment, cluster: cluster.metadata.name, engine: engine.name, role: member.role };
  const spec = { spec: { devices: devicesOf(member, claims) } };
  const name = claimTemplateNameOf(deployment.metadata, engine.name, member.role, JSON.stringify(spec));
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { ...objectMetaOf(deployment, name, objectLabelsOf(subject)), annotations: NEVER_PRUNED },
    spec,
  };
}

function devicesOf({ nodeSelector }: ComputedMember['member'], claims: readonly Claim[]): JsonObject {
  const declared = new Map((nodeSelector?.devices ?? []).map((one) => [one.name, one]));
  const constraints = constraintsOf(nodeSelector, claims);
  const config = claims.flatMap(({ request }) => configOf(declared.get(request)));
  return {
    requests: claims.map((claim) => requestOf(claim, declared.get(claim.request))),
    ...(constraints.length > 0 && { constraints }),
    ...(config.length > 0 && { config }),
  };
}

/** A request in its one form, or in the alternatives that the pool has. */
function requestOf({ request, forms }: Claim, declared: DeviceRequest | undefined): JsonObject {
  const tolerations = declared?.tolerations ?? [];
  const more = tolerations.length > 0 ? { tolerations } : {};
  const [first] = forms;
  if (first && first.name === undefined) return { name: request, exactly: { ...formOf(first), ...more } };
  const alternatives = forms.map((form) => ({ name: form.name ?? '', ...formOf(form), ...more }));
  return { name: request, firstAvailable: alternatives };
}

function formOf({ claimedAs, count, selectors }: ClaimForm): JsonObject {
  return {
    deviceClassName: claimedAs,
    allocationMode: 'ExactCount',
    count,
    selectors: selectors.map((expression) => ({ cel: { expression } })),
  };
}

/** The constraints on devices that are claimed; synthetic ones are in no claim. */
function constraintsOf(
  nodeSelector: ComputedMember['member']['nodeSelector'],
  claims: readonly Claim[],
): JsonObject[] {
  const claimed = new Set(claims.map(({ request }) => request));
  return (nodeSelector?.constraints ?? []).flatMap(({ matchAttribute, distinctAttribute, requests }) => {
    const concerned = requests.filter((name) => claimed.has(name));
    if (requests.length > 0 && concerned.length === 0) return [];
    const attribute = matchAttribute === undefined ? { distinctAttribute } : { matchAttribute };
    return [{ ...(concerned.length > 0 && { requests: concerned }), ...attribute }];
  });
}

/** What drivers are told about the devices of a request. */
function configOf(declared: DeviceRequest | undefined): JsonObject[] {
  return (declared?.config ?? []).map(({ driver, parameters }) => ({
    requests: [declared?.name ?? ''],
    // The schema lets nothing through that JSON cannot hold.
    opaque: { driver, parameters: parameters as Readonly<Record<string, Json>> },
  }));
}
