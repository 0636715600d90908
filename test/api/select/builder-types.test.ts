import { type Condition, gpu, nic, node } from 'fleetwright';

/** Never called: what stands here has to compile, and every marked line must not. */
export function misspelt(): unknown[] {
  return [
    // @ts-expect-error the driver publishes no such attribute
    gpu.memry,
    // @ts-expect-error nor this one, which older drivers had
    gpu.index,
    // @ts-expect-error a selector on one physical device dies with it
    gpu.uuid,
    // @ts-expect-error no architecture of that name
    gpu.architecture.is('Hoper'),
    // @ts-expect-error the space is part of the name
    gpu.architecture.isOneOf('Hopper', 'AdaLovelace'),
    // @ts-expect-error no amount: Kubernetes writes no B
    gpu.memory.atLeast('80GB'),
    // @ts-expect-error an amount, not a number
    gpu.memory.atLeast(80),
    // @ts-expect-error no version
    gpu.cudaComputeCapability.atLeast('hopper'),
    // @ts-expect-error a text has no order
    gpu.productName.atLeast('NVIDIA H100'),
    // @ts-expect-error an amount is no text
    gpu.memory.isOneOf('80Gi'),
    // @ts-expect-error no number format
    gpu.supports('FP9'),
    // @ts-expect-error a number
    nic.mtu.atLeast('9000'),
    // @ts-expect-error true or false, by name
    nic.rdma.is(true),
    // @ts-expect-error no interconnect
    node.interconnect.is('NVSwich'),
  ];
}

const good: readonly Condition[] = [
  gpu.architecture.is('Ada Lovelace'),
  gpu.memory.atLeast('81559Mi'),
  gpu.memory.atLeast('80G'),
  gpu.memory.above('1.5Ti'),
  gpu.cudaComputeCapability.below('10.0'),
  gpu.driverVersion.atLeast('580.126.20'),
  nic.mtu.atLeast(9000),
  node.fabric.isOneOf('EFA', 'RoCE'),
];

test('what is spelt well compiles', () => {
  expect(good.map(({ cel }) => typeof cel)).toEqual(good.map(() => 'string'));
});
