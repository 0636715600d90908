import type { DeviceRequest } from '../../api/device-request';
import type { ModelDeployment } from '../../api/model-deployment';
import { celSelectorsOf } from '../../api/request-alternatives';
import { type Path, qualifiedNameOf } from '../../api/resource';
import type { Fleet } from '../../fleet/fleet';
import type { RequestAlternative } from '../../scheduler/compile/shapes';
import type { CompiledDeployment, CompiledFleet, ReplicaDemand } from '../../scheduler/compiled-fleet';

/** A request of a deployment, or one of its alternatives, and where it is written. */
export interface RequestUse {
  readonly resource: ModelDeployment;
  readonly workload: CompiledDeployment;
  readonly form: RequestAlternative;

  /** The place of a selector (from 0) of the form. */
  readonly pathOf: (selector: number) => Path;
}

/** What is to be said of forms. */
export type FindingsByRequest<T> = ReadonlyMap<RequestAlternative, T>;

/** A use of a form of which something is to be said. */
export interface RequestUseWithFinding<T> extends RequestUse {
  readonly said: T;
}

/**
 * The uses of forms of which something is to be said, in the order of the deployments. Equal demands and forms are one
 * object: each demand is asked about once, and deployments of which nothing is said are passed over.
 */
export function* findRequestUses<T>(
  { deployments }: Fleet,
  { deployments: workloads }: CompiledFleet,
  tell: (demand: ReplicaDemand) => FindingsByRequest<T>,
): Generator<RequestUseWithFinding<T>> {
  const told = new Map([...new Set(workloads.map(({ demand }) => demand))].map((one) => [one, tell(one)]));
  if ([...told.values()].every(({ size }) => size === 0)) return;
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  for (const resource of deployments) {
    const workload = byId.get(qualifiedNameOf(resource));
    if (!workload) continue;
    const said = told.get(workload.demand);
    if (!said || said.size === 0) continue;
    for (const use of requestUsesOf(resource, workload)) {
      const what = said.get(use.form);
      if (what !== undefined) yield { ...use, said: what };
    }
  }
}

/** The forms that a demand asks for. */
export function requestsOf({ engines }: ReplicaDemand): RequestAlternative[] {
  const pods = engines.flatMap(({ members }) => members.map(({ pod }) => pod));
  return pods.flatMap(({ requests }) => requests.flatMap(({ alternatives }) => alternatives));
}

function requestUsesOf(resource: ModelDeployment, workload: CompiledDeployment): RequestUse[] {
  return resource.spec.template.spec.engines.flatMap(({ name, members }, e) => {
    const engine = workload.demand.engines.find((one) => one.name === name);
    return members.flatMap(({ role, nodeSelector }, m) => {
      const compiled = engine?.members.find((one) => one.role === role)?.pod.requests ?? [];
      return (nodeSelector?.devices ?? []).flatMap((request, d) => {
        const at = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector', 'devices', d];
        return alternativePathsOf(request, at).flatMap(({ declared, path }, f): RequestUse[] => {
          const form = compiled[d]?.alternatives[f];
          const pathOf = (selector: number): Path => [
            ...path,
            ...(celSelectorsOf(declared)[selector]?.path ?? []),
          ];
          return form ? [{ resource, workload, form, pathOf }] : [];
        });
      });
    });
  });
}

/** The alternatives of a request, or the request itself, with their places. */
function alternativePathsOf(request: DeviceRequest, at: Path) {
  const several = request.firstAvailable.map((declared, f) => ({
    declared,
    path: [...at, 'firstAvailable', f],
  }));
  return several.length > 0 ? several : [{ declared: request, path: at }];
}
