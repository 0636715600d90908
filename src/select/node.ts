import { NODE_DRIVER } from '../catalog/drivers';
import { amount, text } from './facts';

/**
 * Conditions on the node itself, by what classes from the catalogue say of it. The device is synthetic: a request for
 * it narrows where a pod may land and claims nothing.
 */
export const node = {
  instanceType: text(NODE_DRIVER, 'instanceType'),
  interconnect: text<'PCIe' | 'NVLink' | 'NVSwitch' | 'NVL72'>(NODE_DRIVER, 'interconnect'),
  fabric: text<'EFA' | 'TCPX' | 'TCPXO' | 'RoCE' | 'InfiniBand' | 'Ethernet'>(NODE_DRIVER, 'fabric'),
  cpuArchitecture: text<'amd64' | 'arm64'>(NODE_DRIVER, 'cpuArchitecture'),
  cpu: amount(NODE_DRIVER, 'cpu'),
  memory: amount(NODE_DRIVER, 'memory'),
  nicBandwidth: amount(NODE_DRIVER, 'nicBandwidth'),
  nics: amount(NODE_DRIVER, 'nics'),
  interconnectBandwidth: amount(NODE_DRIVER, 'interconnectBandwidth'),
  localDisk: amount(NODE_DRIVER, 'localDisk'),
} as const;
