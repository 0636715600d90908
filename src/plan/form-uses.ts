import type { DeviceRequest } from '../api/device-request';
import { formSelectors } from '../api/form-selectors';
import type { ModelDeployment } from '../api/model-deployment';
import { type Path, qualifiedName } from '../api/resource';
import type { Fleet } from '../fleet';
import type { Model, Workload } from '../scheduler/model';
import type { Alternative } from '../scheduler/shapes';

/** A request of a deployment, or one of its alternatives, and where it is written. */
export interface FormUse {
  readonly resource: ModelDeployment;
  readonly workload: Workload;
  readonly form: Alternative;

  /** The place of a selector (from 0) of the form. */
  readonly pathOf: (selector: number) => Path;
}

/** Everything that the deployments of a fleet ask for. Equal forms are one object. */
export function* formUses({ deployments }: Fleet, { workloads }: Model): Generator<FormUse> {
  const byId = new Map(workloads.map((workload) => [workload.id, workload]));
  for (const resource of deployments) {
    const workload = byId.get(qualifiedName(resource));
    if (workload) yield* usesOf(resource, workload);
  }
}

function usesOf(resource: ModelDeployment, workload: Workload): FormUse[] {
  return resource.spec.template.spec.engines.flatMap(({ name, members }, e) => {
    const engine = workload.demand.engines.find((one) => one.name === name);
    return members.flatMap(({ role, nodeSelector }, m) => {
      const compiled = engine?.members.find((one) => one.role === role)?.pod.requests ?? [];
      return (nodeSelector?.devices ?? []).flatMap((request, d) => {
        const at = ['spec', 'template', 'spec', 'engines', e, 'members', m, 'nodeSelector', 'devices', d];
        return placesOf(request, at).flatMap(({ declared, path }, f): FormUse[] => {
          const form = compiled[d]?.alternatives[f];
          const pathOf = (selector: number): Path => [
            ...path,
            ...(formSelectors(declared)[selector]?.path ?? []),
          ];
          return form ? [{ resource, workload, form, pathOf }] : [];
        });
      });
    });
  });
}

/** The alternatives of a request, or the request itself, with their places. */
function placesOf(request: DeviceRequest, at: Path) {
  const several = request.firstAvailable.map((declared, f) => ({
    declared,
    path: [...at, 'firstAvailable', f],
  }));
  return several.length > 0 ? several : [{ declared: request, path: at }];
}
