import { nearest } from '../../nearest';
import type { Rule } from '../reading/rule';
import type { Path } from '../resource';
import { isOurVolume, OUR_CONTAINERS, OUR_PORTS } from './reserved';

interface Container {
  readonly name: string;
  readonly volumeMounts?: readonly { readonly name: string }[] | undefined;
  readonly ports?:
    | readonly {
        readonly name?: string | undefined;
        readonly containerPort: number;
        readonly protocol?: string | undefined;
      }[]
    | undefined;
  readonly restartPolicy?: string | undefined;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[] | undefined;
  readonly volumes?: readonly { readonly name: string }[] | undefined;
}

/** Every container of a pod, with its place. */
function allOf({
  containers,
  initContainers = [],
}: PodSpec): { readonly container: Container; readonly path: Path }[] {
  return [
    ...containers.map((container, i) => ({ container, path: ['containers', i] })),
    ...initContainers.map((container, i) => ({ container, path: ['initContainers', i] })),
  ];
}

/** Names of containers that we give to pods are ours. */
export const containersAreNotOurs: Rule<PodSpec> = function* (spec) {
  for (const { container, path } of allOf(spec)) {
    if (!OUR_CONTAINERS.has(container.name)) continue;
    const what = `the container '${container.name}' is one of ours`;
    yield { code: 'reserved-name', path: [...path, 'name'], what, hint: 'Rename yours' };
  }
};

/** Containers of a pod have names of their own, wherever they stand. */
export const containersDiffer: Rule<PodSpec> = function* (spec) {
  const seen = new Set<string>();
  for (const { container, path } of allOf(spec)) {
    if (seen.has(container.name)) {
      const what = `another container of the pod is called '${container.name}'`;
      yield { code: 'duplicate-name', path: [...path, 'name'], what, hint: 'Rename one of the two' };
    }
    seen.add(container.name);
  }
};

/** Containers that run at the same time have ports of their own: they share one address. */
export const portsDiffer: Rule<PodSpec> = function* (spec) {
  const seen = new Map<string, string>();
  for (const { container, path } of allOf(spec)) {
    for (const [p, { containerPort, protocol = 'TCP' }] of (container.ports ?? []).entries()) {
      const port = `${containerPort}/${protocol}`;
      const other = seen.get(port);
      if (other !== undefined) {
        const what = `the port ${port} is that of container '${other}' already`;
        yield {
          code: 'duplicate-port',
          path: [...path, 'ports', p, 'containerPort'],
          what,
          hint: 'Containers of a pod share one address: choose another port',
        };
      }
      seen.set(port, container.name);
    }
  }
};

/** Names of ports that Services look for are those of the engine. */
export const portsAreNotOurs: Rule<PodSpec> = function* (spec) {
  for (const { container, path } of allOf(spec)) {
    for (const [p, { name }] of (container.ports ?? []).entries()) {
      if (name === undefined || !OUR_PORTS.has(name)) continue;
      yield {
        code: 'reserved-name',
        path: [...path, 'ports', p, 'name'],
        what: `the port name '${name}' is that of the engine`,
        hint: 'Rename it',
      };
    }
  }
};

/** What is mounted is there. */
export const mountsHaveVolumes: Rule<PodSpec> = function* (spec) {
  const known = (spec.volumes ?? []).map(({ name }) => name);
  for (const { container, path } of allOf(spec)) {
    for (const [m, { name }] of (container.volumeMounts ?? []).entries()) {
      if (known.includes(name) || isOurVolume(name)) continue;
      const meant = nearest(name, known);
      yield {
        code: 'unknown-reference',
        path: [...path, 'volumeMounts', m, 'name'],
        what: `there is no volume '${name}'`,
        hint: meant ? `Use '${meant}'` : 'Declare it at volumes of this pod',
      };
    }
  }
};

/** Names of volumes that we give to pods are ours. */
export const volumesAreNotOurs: Rule<PodSpec> = function* ({ volumes = [] }) {
  for (const [v, { name }] of volumes.entries()) {
    if (!isOurVolume(name)) continue;
    yield {
      code: 'reserved-name',
      path: ['volumes', v, 'name'],
      what: `the volume '${name}' is one of ours`,
      hint: 'Mount it without declaring it, or rename yours',
    };
  }
};

/** What only a container that goes on can have: one that ends is never asked how it is. */
const OF_RUNNING = ['startupProbe', 'readinessProbe', 'livenessProbe', 'lifecycle'] as const;

/** A container that runs before the engine and ends has no probes and no hooks. */
export const onlySidecarsAreProbed: Rule<PodSpec> = function* ({ initContainers = [] }) {
  for (const [i, container] of initContainers.entries()) {
    if (container.restartPolicy === 'Always') continue;
    for (const field of OF_RUNNING.filter((one) => Reflect.get(container, one) !== undefined)) {
      yield {
        code: 'contradiction',
        path: ['initContainers', i, field],
        what: `an init container that ends has no field '${field}'`,
        hint: "Remove it, or make it a sidecar with 'restartPolicy: Always'",
      };
    }
  }
};
