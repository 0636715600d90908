import type { Engine } from '../../api/engine';
import { type Locate, locateOne } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { Path } from '../../api/resource';
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
  const withoutHelpers = new Set<ModelDeployment['spec']['template']['spec']>();
  const problems = deployments.flatMap((deployment) => {
    const template = deployment.spec.template.spec;
    if (withoutHelpers.has(template)) return [];
    const helpers = helperPortsOf(deployment);
    if (helpers.length === 0) withoutHelpers.add(template);
    return helpers.flatMap((helper) => findDuplicatePort(deployment, helper, locate));
  });
  if (problems.length > 0) throw new FleetwrightError(problems);
}

function findDuplicatePort(deployment: ModelDeployment, helper: HelperPorts, locate: Locate): Diagnostic[] {
  const { engine, path, ports } = helper;
  const serving = servingOf(deployment, engine);
  const taken = ports.find((port) => port === serving.port || port === serving.enginePort);
  if (taken === undefined) return [];
  const before = taken === serving.enginePort ? '' : 'the proxy sidecar of ';
  const what = `port ${taken} is used by ${before}engine '${engine.name}' too`;
  const hint = 'Use another port: containers of a pod share one address';
  return [locateOne(errorAt('duplicate-port', { resource: deployment, path }, what, hint), locate)];
}

/** The TCP ports of a helper container, and the path of the container. */
interface HelperPorts {
  readonly engine: Engine;
  readonly path: Path;
  readonly ports: readonly number[];
}

/** The TCP ports of each helper container of the serving members. */
function helperPortsOf({ spec }: ModelDeployment): HelperPorts[] {
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
