import { flag, integer, text } from './facts';

const DRIVER = 'dra.net';

/** Conditions on network interfaces, by what DRANET publishes. */
export const nic = {
  ifName: text(DRIVER, 'ifName'),
  pciVendor: text(DRIVER, 'pciVendor'),
  pciDevice: text(DRIVER, 'pciDevice'),
  numaNode: integer(DRIVER, 'numaNode'),
  mtu: integer(DRIVER, 'mtu'),
  type: text(DRIVER, 'type'),
  rdma: flag(DRIVER, 'rdma'),
  rdmaDevice: text(DRIVER, 'rdmaDevice'),
  sriov: flag(DRIVER, 'sriov'),
  pcieRoot: text(DRIVER, 'pcieRoot'),
} as const;
