import { nearest } from '../../nearest';
import { claimingMembers } from './claiming-members';
import type { FleetCheck } from './fault';

/** A configuration is for a driver of some class: Kubernetes passes over one for a driver whose devices nobody gets. */
export const configDrivers: FleetCheck = function* ({ classes, deployments }) {
  const known = [...new Set(classes.flatMap(({ spec }) => spec.devices.map(({ driver }) => driver)))].sort();
  const configs = deployments.flatMap((resource) =>
    claimingMembers(resource).flatMap(({ nodeSelector, path }) =>
      nodeSelector.devices.flatMap(({ config }, d) =>
        config.map(({ driver }, c) => ({
          resource,
          driver,
          path: [...path, 'devices', d, 'config', c, 'driver'],
        })),
      ),
    ),
  );
  for (const { resource, driver, path } of configs) {
    if (known.length === 0 || known.includes(driver)) continue;
    const meant = nearest(driver, known);
    yield {
      code: 'unknown-reference',
      resource,
      path,
      what: `no class has devices of a driver '${driver}'`,
      hint: meant ? `Use '${meant}'` : `Use one of ${known.join(', ')}`,
    };
  }
};
