import type { Finding } from '../finding';
import { deviceClasses } from './device-classes';
import { gatewayController } from './gateway-controller';
import { devices, driverLabel, nodes, taints } from './pools';
import { rights } from './rights';
import { servedApis } from './served-apis';
import type { Check, DoctorSite } from './site';
import { storage } from './storage';
import { version } from './version';

/** All that is looked at, what others depend on first. */
const CHECKS: readonly Check[] = [
  version,
  ...servedApis,
  deviceClasses,
  driverLabel,
  nodes,
  taints,
  devices,
  gatewayController,
  storage,
  rights,
];

/** How a running cluster compares with what is declared of it: all checks, also after one that fails. */
export function examine(site: DoctorSite): Finding[] {
  return CHECKS.flatMap(({ name, look }) => look(site).map((said) => ({ check: name, ...said })));
}
