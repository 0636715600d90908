import { and, type Condition, not, or } from '../../../src/api/select/condition';
import { amdGpu, gpu, nic, node } from '../../../src/api/select/devices';
import { DRIVERS } from '../../../src/catalog/drivers';
import { prepareDevice } from '../../../src/cel/device';
import { compileSelector } from '../../../src/cel/selector';

const A = 'device.attributes["gpu.nvidia.com"]';
const C = 'device.capacity["gpu.nvidia.com"]';
const S = 'device.attributes["resource.kubernetes.io"]';

const rows: Record<string, readonly [Condition, string]> = {
  'an amount is compared by its method': [gpu.memory.atLeast('79Gi'), `${C}.memory.compareTo(quantity("79Gi")) >= 0`],
  'an amount may be bounded on either side': [
    and(gpu.memory.above('40Gi'), gpu.memory.below('90Gi'), gpu.memory.atMost('80Gi'), gpu.memory.is('46068Mi')),
    `${C}.memory.compareTo(quantity("40Gi")) > 0 && ${C}.memory.compareTo(quantity("90Gi")) < 0 && ${C}.memory.compareTo(quantity("80Gi")) <= 0 && ${C}.memory.compareTo(quantity("46068Mi")) == 0`,
  ],
  'a text is one value, another one, or one of some': [
    or(
      gpu.architecture.is('Hopper'),
      gpu.architecture.isNot('Turing'),
      gpu.architecture.isOneOf('Ampere', 'Ada Lovelace'),
    ),
    `(${A}.architecture == "Hopper" || ${A}.architecture != "Turing" || ${A}.architecture in ["Ampere", "Ada Lovelace"])`,
  ],
  'one of one is that one': [gpu.architecture.isOneOf('Hopper'), `${A}.architecture == "Hopper"`],
  'a version is made whole': [
    gpu.cudaComputeCapability.atLeast('9.0'),
    `${A}.cudaComputeCapability.compareTo(semver("9.0.0")) >= 0`,
  ],
  'a number format is the compute capability that has it': [
    gpu.supports('FP8'),
    `${A}.cudaComputeCapability.compareTo(semver("8.9.0")) >= 0`,
  ],
  'what some devices leave out is guarded': [
    gpu.pcieRoot.is('pci0000:64'),
    `"pcieRoot" in ${S} && ${S}.pcieRoot == "pci0000:64"`,
  ],
  'a number that some devices leave out is guarded': [gpu.numaNode.is(1), `"numaNode" in ${S} && ${S}.numaNode == 1`],
  'a flag is read as it is': [
    and(nic.rdma.isTrue(), nic.sriov.isFalse()),
    'device.attributes["dra.net"].rdma && "sriov" in device.attributes["dra.net"] && !device.attributes["dra.net"].sriov',
  ],
  'what is not met is put in parentheses as a whole': [
    not(gpu.pcieRoot.is('x')),
    `!("pcieRoot" in ${S} && ${S}.pcieRoot == "x")`,
  ],
  'alternatives stand next to others in parentheses': [
    and(or(gpu.architecture.is('Hopper'), gpu.architecture.is('Blackwell')), gpu.memory.atLeast('79Gi')),
    `(${A}.architecture == "Hopper" || ${A}.architecture == "Blackwell") && ${C}.memory.compareTo(quantity("79Gi")) >= 0`,
  ],
  'one alternative is no choice': [or(gpu.architecture.is('Hopper')), `${A}.architecture == "Hopper"`],
  'a condition may be on the node': [
    node.nicBandwidth.atLeast('400G'),
    '"nicBandwidth" in device.capacity["node.fleetwright.dev"] && device.capacity["node.fleetwright.dev"].nicBandwidth.compareTo(quantity("400G")) >= 0',
  ],
  'a text with quotes is quoted': [gpu.productName.is('a "b"'), `${A}.productName == "a \\"b\\""`],
  'presence may be asked for': [gpu.addressingMode.isPublished(), `"addressingMode" in ${A}`],
};

describe('the builder', () => {
  test.each(Object.entries(rows))('%s', (_, [condition, want]) => {
    expect(condition).toEqual({ cel: want });
    expect(() => compileSelector(want)).not.toThrow();
  });

  test.each([
    [
      () => gpu.memory.atLeast('79 Gi' as never),
      "gpu.nvidia.com memory: '79 Gi' is not a Kubernetes quantity. Did you mean '79Gi'?",
    ],
    [() => gpu.memory.atLeast('79'), "gpu.nvidia.com memory: '79' means 79 bytes. Did you mean '79Gi'?"],
    [() => gpu.driverVersion.is('new' as never), "gpu.nvidia.com driverVersion: 'new' is not a version: 9.0.0."],
    [() => nic.mtu.is(1.5), "dra.net mtu: '1.5' is not a whole number."],
    [() => gpu.supports('FP6' as never), "'FP6' is not a number format. Use one of FP16, INT8, BF16, TF32, FP8, FP4."],
  ])('refuses a value of no type, where the compiler could not', (build, want) => {
    expect(build).toThrow(want);
  });

  test('never fails on a device that leaves out what it may leave out', () => {
    const bare = prepareDevice({ driver: 'dra.net', attributes: {}, capacity: {} });
    for (const fact of [nic.ifName.is('eth0'), nic.mtu.atLeast(9000), nic.sriov.isTrue(), nic.sriov.isFalse()]) {
      expect(compileSelector(fact.cel).match(bare)).toEqual({ kind: 'no-match' });
    }
  });

  test.each([
    ['gpu.nvidia.com', gpu],
    ['gpu.amd.com', amdGpu],
    ['dra.net', nic],
    ['node.fleetwright.dev', node],
  ])('has all that %s publishes, but for what tells one device from all others', (driver, facts) => {
    const rows = DRIVERS.find(({ name }) => name === driver)!.facts;
    const selectable = rows.filter(({ identity }) => !identity).map(({ name }) => name);
    expect(
      Object.keys(facts)
        .filter((name) => name !== 'supports')
        .sort(),
    ).toEqual(selectable.sort());
  });
});
