import { type FleetCheck, unknownReference } from './fault';

/** Every cache that a deployment mounts is declared in its namespace. */
export const cachesExist: FleetCheck = function* ({ caches, deployments }) {
  for (const resource of deployments) {
    const name = resource.spec.template.spec.modelCacheRef?.name;
    if (name === undefined) continue;
    const known = caches
      .filter(({ metadata }) => metadata.namespace === resource.metadata.namespace)
      .map(({ metadata }) => metadata.name);
    if (known.includes(name)) continue;
    const path = ['spec', 'template', 'spec', 'modelCacheRef', 'name'];
    yield unknownReference({ resource, path, kind: 'ModelCache', name, known });
  }
};
