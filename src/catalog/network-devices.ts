import type { Sourced } from './sourced';

/** A network device, and how pods claim it. */
export interface NetworkDeviceRow extends Sourced {
  /** What instance types call it. */
  readonly name: 'efa' | 'gvnic' | 'roce' | 'infiniband';

  /** The fabric that it belongs to, as node facts say it. */
  readonly fabric: 'EFA' | 'TCPX' | 'TCPXO' | 'RoCE' | 'InfiniBand' | 'Ethernet';

  /** The DRA driver that publishes it. */
  readonly driver: string;

  /** The DeviceClass through which pods claim it. Absent where no driver of ours installs one. */
  readonly deviceClassName?: string;
}

/** Network devices of GPU machines. All of them are published by DRANET. */
export const NETWORK_DEVICES: readonly NetworkDeviceRow[] = [
  {
    name: 'efa',
    fabric: 'EFA',
    driver: 'dra.net',
    deviceClassName: 'efa.networking.k8s.aws',
    source: 'aws/eks-charts aws-dranet 1.0.0; EKS user guide, device-management-efa',
    asOf: '2026-11-01',
  },
  {
    name: 'roce',
    fabric: 'RoCE',
    driver: 'dra.net',
    deviceClassName: 'mrdma.google.com',
    source: 'GKE managed DRANET',
    asOf: '2026-11-01',
  },
  {
    name: 'gvnic',
    fabric: 'Ethernet',
    driver: 'dra.net',
    deviceClassName: 'netdev.google.com',
    source: 'GKE managed DRANET',
    asOf: '2026-11-01',
  },
  {
    name: 'infiniband',
    fabric: 'InfiniBand',
    driver: 'dra.net',
    source: 'kubernetes-sigs/dranet 1.4.0',
    asOf: '2026-11-01',
  },
];
