import type { DeviceRequest } from '../../api/device-request';
import type { ModelDeployment } from '../../api/model-deployment';
import { celSelectorsOf } from '../../api/request-alternatives';
import { type Path, qualifiedNameOf } from '../../api/resource';
import { findWrittenPart } from '../../api/select/selector-source';
import type { Span } from '../../base/diagnostic';
import type { Excerpt } from '../../base/excerpt';
import type { Fleet } from '../../fleet/fleet';
import type { NodeShape, RequestAlternative } from '../../scheduler/compile/shapes';
import type { CompiledCluster, CompiledDeployment, CompiledFleet, ReplicaDemand } from '../../scheduler/compiled-fleet';
import type { RequestMatcher } from '../../scheduler/devices/match-request';

/** A device request of a deployment, or one of its alternatives, and its path in the resource. */
interface RequestUse {
  readonly resource: ModelDeployment;
  readonly alternative: RequestAlternative;

  /** Returns the path and the excerpt of a part of a selector, counted from 0, as the user wrote it. */
  readonly writtenPartOf: (selector: number, span: Span) => { readonly path: Path; readonly excerpt: Excerpt };
}

export type FindingsByRequest<T> = ReadonlyMap<RequestAlternative, T>;

/**
 * Yields the uses of requests that have findings, in the order of the deployments. Equal demands and requests are one
 * object, so each demand is checked only once. Deployments without findings are skipped.
 */
export function* findRequestUses<T>(
  { deployments }: Fleet,
  model: CompiledFleet,
  findingsOf: (demand: ReplicaDemand) => FindingsByRequest<T>,
): Generator<RequestUse & { readonly finding: T }> {
  const demands = new Set(model.deployments.map(({ demand }) => demand));
  const findingsByDemand = new Map([...demands].map((demand) => [demand, findingsOf(demand)]));
  if ([...findingsByDemand.values()].every(({ size }) => size === 0)) return;
  const byId = new Map(model.deployments.map((one) => [one.id, one]));
  for (const resource of deployments) {
    const compiled = byId.get(qualifiedNameOf(resource));
    if (!compiled) continue;
    const findings = findingsByDemand.get(compiled.demand);
    if (!findings || findings.size === 0) continue;
    for (const use of requestUsesOf(resource, compiled)) {
      const finding = findings.get(use.alternative);
      if (finding !== undefined) yield { ...use, finding };
    }
  }
}

/** Lists the requests of a demand, with each alternative as an entry. */
export function requestsOf({ engines }: ReplicaDemand): RequestAlternative[] {
  const pods = engines.flatMap(({ members }) => members.map(({ pod }) => pod));
  return pods.flatMap(({ requests }) => requests.flatMap(({ alternatives }) => alternatives));
}

/** The distinct kinds of nodes of clusters. */
export function nodesOf(clusters: readonly CompiledCluster[]): NodeShape[] {
  return [...new Set(clusters.flatMap(({ pools }) => pools.map(({ node }) => node)))];
}

/** Matches a request with the devices of nodes. */
export function verdictsOf(alternative: RequestAlternative, nodes: readonly NodeShape[], matcher: RequestMatcher) {
  return nodes.flatMap((node) => {
    const verdicts = matcher.verdicts(alternative, node);
    return node.kinds.flatMap((kind, k) => (verdicts[k] ? [{ verdict: verdicts[k], kind }] : []));
  });
}

function requestUsesOf(resource: ModelDeployment, { demand }: CompiledDeployment): RequestUse[] {
  return resource.spec.template.spec.engines.flatMap(({ name, members }, e) => {
    const engine = demand.engines.find((one) => one.name === name);
    return members.flatMap(({ role, nodeSelector }, m) => {
      const compiled = engine?.members.find((one) => one.role === role)?.pod.requests ?? [];
      return (nodeSelector?.devices ?? []).flatMap((request, d) => {
        const at = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector', 'devices', d];
        return alternativePathsOf(request, at).flatMap(({ declared, path }, f): RequestUse[] => {
          const alternative = compiled[d]?.alternatives[f];
          return alternative ? [{ resource, alternative, writtenPartOf: createPartFinder(declared, path) }] : [];
        });
      });
    });
  });
}

function createPartFinder(declared: Parameters<typeof celSelectorsOf>[0], at: Path): RequestUse['writtenPartOf'] {
  return (selector, span) => {
    const written = celSelectorsOf(declared)[selector] ?? { cel: '', path: [] };
    const { path, excerpt } = findWrittenPart(written, span);
    return { path: [...at, ...path], excerpt };
  };
}

/** The alternatives of a request, or the request itself, with their paths. */
function alternativePathsOf(request: DeviceRequest, at: Path) {
  if (request.firstAvailable.length === 0) return [{ declared: request, path: at }];
  return request.firstAvailable.map((declared, f) => ({ declared, path: [...at, 'firstAvailable', f] }));
}
