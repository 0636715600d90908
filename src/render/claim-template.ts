import type { DeviceRequest } from '../api/device-request';
import { getOrComputeWeak, type WeakPairMap } from '../base/memoize';
import { shareText } from '../manifest/format-yaml';
import { NEVER_PRUNED, objectLabelsOf, objectMetaOf } from '../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject, Manifest } from '../manifest/kubernetes/manifest';
import { claimTemplateNameOf } from '../manifest/kubernetes/object-names';
import type { ComputedEngine, ComputedMember, ComputedReplica } from '../replicas/replica';
import type { Claim, ClaimForm } from '../scheduler/devices/pod-fit';
import { renderComputeDomain } from './compute-domain';

/** Renders what the pods of an engine claim their devices by. */
export function renderClaimObjects(replica: ComputedReplica, engine: ComputedEngine): Manifest[] {
  const templates = engine.members.flatMap((member) => renderClaimTemplate(replica, engine, member) ?? []);
  const domain = renderComputeDomain(replica, engine);
  return domain ? [...templates, domain] : templates;
}

/**
 * Renders the ResourceClaimTemplate from which each pod of a member gets its claim. Returns undefined for pods that
 * claim no devices. Replicas whose pods request the same devices share a template, so no label names a replica.
 *
 * The spec of a template is immutable, so the name contains a digest of the spec. Argo CD does not prune the previous
 * template: during a rolling update or a rollback, pods of the old revision are still created from it.
 */
export function renderClaimTemplate(
  { deployment, cluster }: ComputedReplica,
  computed: ComputedEngine,
  member: ComputedMember,
): Manifest | undefined {
  const template = claimTemplateOf(deployment, computed, member);
  if (!template) return undefined;
  const { role } = member.member;
  const subject = { deployment, cluster: cluster.metadata.name, engine: computed.engine.name, role };
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaimTemplate',
    metadata: { ...objectMetaOf(deployment, template.name, objectLabelsOf(subject)), annotations: NEVER_PRUNED },
    spec: template.spec,
  };
}

/** The name and the spec of the template of a member, on all clusters with equal nodes. Undefined without claims. */
export function claimTemplateOf(
  { metadata }: ComputedReplica['deployment'],
  { engine }: ComputedEngine,
  { member, claims }: ComputedMember,
): { readonly name: string; readonly spec: JsonObject } | undefined {
  if (claims.length === 0) return undefined;
  const { spec, content } = getOrComputeWeak(SPECS, member, claims, () => renderSpec(member, claims));
  return { name: claimTemplateNameOf(metadata, engine.name, member.role, content), spec };
}

/** The spec of a template, and its content as text. */
interface ClaimSpec {
  readonly spec: JsonObject;
  readonly content: string;
}

/** The pods of a member ask for the same claims on all clusters with equal nodes. */
const SPECS: WeakPairMap<ComputedMember['member'], readonly Claim[], ClaimSpec> = new WeakMap();

function renderSpec(member: ComputedMember['member'], claims: readonly Claim[]): ClaimSpec {
  const spec = shareText({ spec: { devices: devicesOf(member, claims) } });
  return { spec, content: JSON.stringify(spec) };
}

function devicesOf({ nodeSelector }: ComputedMember['member'], claims: readonly Claim[]): JsonObject {
  const declared = new Map((nodeSelector?.devices ?? []).map((request) => [request.name, request]));
  const constraints = constraintsOf(nodeSelector, claims);
  const config = claims.flatMap(({ request }) => configOf(declared.get(request)));
  return {
    requests: claims.map((claim) => requestOf(claim, declared.get(claim.request))),
    ...(constraints.length > 0 && { constraints }),
    ...(config.length > 0 && { config }),
  };
}

/** Returns a request with its single form, or with the alternatives that the pool offers. */
function requestOf({ request, forms }: Claim, declared: DeviceRequest | undefined): JsonObject {
  const tolerations = declared?.tolerations ?? [];
  const shared = tolerations.length > 0 ? { tolerations } : {};
  const [first] = forms;
  if (first && first.name === undefined) return { name: request, exactly: { ...formOf(first), ...shared } };
  const alternatives = forms.map((form) => ({ name: form.name ?? '', ...formOf(form), ...shared }));
  return { name: request, firstAvailable: alternatives };
}

function formOf({ claimedAs, count, all, selectors, capacity }: ClaimForm): JsonObject {
  return {
    deviceClassName: claimedAs,
    ...(all ? { allocationMode: 'All' } : { allocationMode: 'ExactCount', count }),
    selectors: selectors.map((expression) => ({ cel: { expression } })),
    ...(capacity && { capacity: { requests: capacity } }),
  };
}

/** Returns the constraints on claimed devices. Claims contain no synthetic devices. */
function constraintsOf(nodeSelector: ComputedMember['member']['nodeSelector'], claims: readonly Claim[]): JsonObject[] {
  const claimed = new Set(claims.map(({ request }) => request));
  return (nodeSelector?.constraints ?? []).flatMap(({ matchAttribute, distinctAttribute, requests }) => {
    const claimedRequests = requests.filter((name) => claimed.has(name));
    if (requests.length > 0 && claimedRequests.length === 0) return [];
    const attribute = matchAttribute === undefined ? { distinctAttribute } : { matchAttribute };
    return [{ ...(claimedRequests.length > 0 && { requests: claimedRequests }), ...attribute }];
  });
}

function configOf(declared: DeviceRequest | undefined): JsonObject[] {
  return (declared?.config ?? []).map(({ driver, parameters }) => ({
    requests: [declared?.name ?? ''],
    // The schema rejects parameters that JSON cannot represent.
    opaque: { driver, parameters: parameters as Readonly<Record<string, Json>> },
  }));
}
