import type { Locate } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { FleetwrightError } from '../../base/errors';
import { servingOf } from '../../engine/ports-and-probe-defaults';
import type { Fleet } from '../../fleet/fleet';

/**
 * Rejects sidecar and init containers that use the port of their engine, because containers of a pod share an address.
 * The port follows from the runtime and the arguments of the engine.
 *
 * @throws FleetwrightError with every such container
 */
export function refuseDuplicatePorts({ deployments }: Fleet, locate: Locate): void {
  // Most templates have no helper containers with ports. Deployments share templates, so check each one only once.
  const withoutHelpers = new Set<Template>();
  const problems = deployments.flatMap((deployment) => {
    const template = deployment.spec.template.spec;
    if (withoutHelpers.has(template)) return [];
    if (helperPortsOf(deployment).length > 0) return [...findDuplicatePorts(deployment, locate)];
    withoutHelpers.add(template);
    return [];
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function* findDuplicatePorts(deployment: ModelDeployment, locate: Locate): Iterable<Diagnostic> {
  for (const { engine, path, ports } of helperPortsOf(deployment)) {
    const serving = servingOf(deployment, engine);
    const taken = ports.find((port) => port === serving.port || port === serving.enginePort);
    if (taken === undefined) continue;
    const before = taken === serving.enginePort ? '' : 'the sidecar before ';
    yield errorAt(
      'duplicate-port',
      locate(deployment, path),
      `its port ${taken} is that of ${before}engine '${engine.name}'`,
      'Containers of a pod share one address: choose another port',
    );
  }
}

type Template = ModelDeployment['spec']['template']['spec'];
type Engine = Template['engines'][number];

/** The TCP ports of each helper container of a serving member, with the path of the container. */
function helperPortsOf({ spec }: ModelDeployment): { engine: Engine; path: (string | number)[]; ports: number[] }[] {
  const start = ['spec', 'template', 'spec', 'engines'];
  return spec.template.spec.engines.flatMap((engine, e) =>
    engine.members.flatMap(({ role, template }, m) => {
      if (role === 'Worker') return [];
      const { containers, initContainers = [] } = template.spec;
      const [, ...sidecars] = containers;
      const at = [...start, e, 'members', m, 'template', 'spec'];
      return [
        ...sidecars.map((container, c) => ({ container, path: [...at, 'containers', c + 1] })),
        ...initContainers.map((container, c) => ({ container, path: [...at, 'initContainers', c] })),
      ].flatMap(({ container: { ports = [] }, path }) => {
        const tcp = ports.filter(({ protocol = 'TCP' }) => protocol === 'TCP');
        return tcp.length > 0 ? [{ engine, path, ports: tcp.map(({ containerPort }) => containerPort) }] : [];
      });
    }),
  );
}
