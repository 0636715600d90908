import { flag, integer, text } from './facts';

const DRIVER = 'dra.net';

/** Conditions on network devices, by what DRANET publishes. */
export const nic = {
  rdma: flag(DRIVER, 'rdma'),
  rdmaDevice: text(DRIVER, 'rdmaDevice'),
  ifName: text(DRIVER, 'ifName'),
  mtu: integer(DRIVER, 'mtu'),
  encapsulation: text(DRIVER, 'encapsulation'),
  alias: text(DRIVER, 'alias'),
  state: text(DRIVER, 'state'),
  type: text(DRIVER, 'type'),
  ebpf: flag(DRIVER, 'ebpf'),
  sriov: flag(DRIVER, 'sriov'),
  virtual: flag(DRIVER, 'virtual'),
  tcFilterNames: text(DRIVER, 'tcFilterNames'),
  tcxProgramNames: text(DRIVER, 'tcxProgramNames'),
  sriovVfs: integer(DRIVER, 'sriovVfs'),
  isSriovVf: flag(DRIVER, 'isSriovVf'),
  pciVendor: text(DRIVER, 'pciVendor'),
  pciDevice: text(DRIVER, 'pciDevice'),
  pciSubsystem: text(DRIVER, 'pciSubsystem'),
  numaNode: integer(DRIVER, 'numaNode'),
  pcieRoot: text(DRIVER, 'pcieRoot'),
} as const;
