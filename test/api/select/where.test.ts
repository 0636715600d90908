import { and } from '../../../src/api/select/condition';
import { amdGpu, gpu, nic } from '../../../src/api/select/devices';
import { readWhere, type Where } from '../../../src/api/select/where';
import { formatDiagnostic, relocate } from '../../../src/base/diagnostic';
import { compileSelector } from '../../../src/cel/selector';

const rows: Record<string, readonly [Where, string]> = {
  'the form of the README': [
    { architecture: 'Hopper', memory: '>= 79Gi', supports: 'FP8' },
    and(gpu.architecture.is('Hopper'), gpu.cudaComputeCapability.atLeast('8.9.0'), gpu.memory.atLeast('79Gi')).cel,
  ],
  'the order of the lines does not matter': [
    { memory: '>= 79Gi', supports: 'FP8', architecture: 'Hopper' },
    and(gpu.architecture.is('Hopper'), gpu.cudaComputeCapability.atLeast('8.9.0'), gpu.memory.atLeast('79Gi')).cel,
  ],
  'a list is any of its values': [
    { architecture: ['Hopper', 'Blackwell'] },
    gpu.architecture.isOneOf('Hopper', 'Blackwell').cel,
  ],
  'a text may be ruled out': [{ architecture: '!= Turing' }, gpu.architecture.isNot('Turing').cel],
  'a text with a comma is one text': [{ productName: 'a, b' }, gpu.productName.is('a, b').cel],
  'a range is two comparisons': [
    { memory: '>= 40Gi, < 90Gi' },
    and(gpu.memory.atLeast('40Gi'), gpu.memory.below('90Gi')).cel,
  ],
  'a version may be short, and a number': [{ cudaComputeCapability: 8.9 }, gpu.cudaComputeCapability.is('8.9.0').cel],
  'several number formats are the highest of their compute capabilities': [
    { supports: ['FP4', 'BF16'] },
    gpu.cudaComputeCapability.atLeast('10.0').cel,
  ],
  'an attribute may be named with its domain': [
    { 'resource.kubernetes.io/pcieRoot': 'pci0000:64' },
    gpu.pcieRoot.is('pci0000:64').cel,
  ],
  'another driver has names of its own, and is asked for': [
    { driver: 'dra.net', numaNode: 0, mtu: '>= 9000', rdma: true },
    and({ cel: 'device.driver == "dra.net"' }, nic.rdma.isTrue(), nic.mtu.atLeast(9000), nic.numaNode.is(0)).cel,
  ],
  'the driver alone is a condition': [{ driver: 'gpu.nvidia.com' }, 'device.driver == "gpu.nvidia.com"'],
  'a whole number may be one of some': [
    { driver: 'dra.net', numaNode: ['0', '1'] },
    'device.driver == "dra.net" && "numaNode" in device.attributes["dra.net"] && device.attributes["dra.net"].numaNode in [0, 1]',
  ],
  'what a GPU of AMD is': [
    { driver: 'gpu.amd.com', memory: '>= 180Gi' },
    and({ cel: 'device.driver == "gpu.amd.com"' }, amdGpu.memory.atLeast('180Gi')).cel,
  ],
  'a flag may be false': [
    { driver: 'dra.net', rdma: false },
    and({ cel: 'device.driver == "dra.net"' }, nic.rdma.isFalse()).cel,
  ],
};

const bad: Record<string, readonly [Where, readonly string[]]> = {
  'nothing is said': [
    {},
    [
      ": where is empty. Describe the device, as in 'where: { architecture: Hopper }', or ask for any NVIDIA GPU: 'where: { driver: gpu.nvidia.com }'.",
    ],
  ],
  'a name that the driver does not publish': [
    { memry: '>= 79Gi', architecture: 'Hopper' },
    ["memry: the driver gpu.nvidia.com publishes no 'memry'. Use 'memory'."],
  ],
  'a name that people use for another': [
    { vram: '>= 79Gi', architecture: 'Hopper' },
    ["vram: the driver gpu.nvidia.com publishes no 'vram'. Use 'memory'."],
  ],
  'an unknown name with a GPU as its value': [
    { gpu: 'h100' },
    ["gpu: the driver gpu.nvidia.com publishes no 'gpu'. Use 'productName: NVIDIA H100 80GB HBM3'."],
  ],
  'a name that is like none': [
    { driver: 'gpu.amd.com', tensorCores: 4 },
    [
      "tensorCores: the driver gpu.amd.com publishes no 'tensorCores'. Use one of type, productName, numaNode, driverVersion, driverVersionFull, deviceID, partitionProfile, pcieRoot, pciBusID, vendorID, iommuGroup, isVF, pciAddr, cardIndex, renderIndex, family, driverSrcVersion, parentPciAddr, parentDeviceID, computePartition, memoryPartition, gpuIndex, memory, computeUnits, simdUnits, partitions.",
    ],
  ],
  'number formats are of NVIDIA': [
    { driver: 'gpu.amd.com', supports: 'FP8' },
    [expect.stringMatching(/^supports: the driver gpu.amd.com publishes no 'supports'/)],
  ],
  'a driver that no one knows': [
    { driver: 'gpu.nvidia.con', architecture: 'Hopper' },
    ["driver: the catalog has no driver 'gpu.nvidia.con'. Use 'gpu.nvidia.com'."],
  ],
  'a number format that no one knows': [
    { supports: 'BF15' },
    ["supports: there is no number format 'BF15'. Use 'BF16'."],
  ],
  'no number format': [
    { supports: [] },
    ['supports: it has no number format. Use one of FP16, INT8, BF16, TF32, FP8, FP4.'],
  ],
  'an amount without a comparison': [
    { memory: '79Gi' },
    ["memory: '79Gi' has no comparison operator. Use '>= 79Gi' for at least that."],
  ],
  'an advertised size without a comparison': [
    { memory: '80Gi' },
    [
      "memory: '80Gi' has no comparison operator. Use '>= 79Gi' for at least that. A GPU of 80Gi publishes less: 81559Mi on NVIDIA H100 80GB HBM3.",
    ],
  ],
  'an advertised size, which its GPUs do not publish': [
    { memory: '>= 80GB' },
    [
      "memory: '80GB' is not a Kubernetes quantity. Did you mean '>= 79Gi'? A GPU of 80Gi publishes less: 81559Mi on NVIDIA H100 80GB HBM3.",
    ],
  ],
  'an upper bound keeps its number': [
    { memory: '< 80GB' },
    ["memory: '80GB' is not a Kubernetes quantity. Did you mean '< 80Gi'?"],
  ],
  'a size that no GPU is advertised with keeps its number': [
    { memory: '>= 22GB' },
    ["memory: '22GB' is not a Kubernetes quantity. Did you mean '>= 22Gi'?"],
  ],
  'an amount that is a number': [
    { memory: 80 },
    [
      "memory: '80' means 80 bytes. Did you mean '>= 79Gi'? A GPU of 80Gi publishes less: 81559Mi on NVIDIA H100 80GB HBM3.",
    ],
  ],
  'an amount of bytes without a unit': [
    { memory: '>= 22, < 81559' },
    ["memory: '22' means 22 bytes. Did you mean '>= 22Gi'?"],
  ],
  'an amount with the unit below': [
    { memory: '>= 80Mi' },
    [
      "memory: '80Mi' is less than any device has. Did you mean '>= 79Gi'? A GPU of 80Gi publishes less: 81559Mi on NVIDIA H100 80GB HBM3.",
    ],
  ],
  'an amount in MiB without a unit': [
    { memory: '< 81559' },
    ["memory: '81559' means 81559 bytes. Did you mean '< 81559Mi'?"],
  ],
  'an operator with its signs in the wrong order': [
    { memory: '=> 22Gi' },
    ["memory: '=>' is not a comparison operator. Did you mean '>= 22Gi'?"],
  ],
  'a unit of disks': [{ memory: '>= 79GB' }, ["memory: '79GB' is not a Kubernetes quantity. Did you mean '>= 79Gi'?"]],
  'a unit in full': [{ memory: '22GiB' }, ["memory: '22GiB' is not a Kubernetes quantity. Did you mean '>= 22Gi'?"]],
  'a unit after a space': [
    { memory: '> 22 Gi' },
    ["memory: '22 Gi' is not a Kubernetes quantity. Did you mean '> 22Gi'?"],
  ],
  'an amount that is none': [
    { memory: '>= much' },
    ["memory: 'much' is not a Kubernetes quantity. Write a number and an optional unit without a space, as in '80Gi'."],
  ],
  'a count needs no unit': [
    { multiprocessors: '14' },
    ["multiprocessors: '14' has no comparison operator. Use '>= 14' for at least that."],
  ],
  'a version that is none': [
    { driverVersion: '>= new' },
    ["driverVersion: 'new' is not a version: 9.0.0. Write a version or a comparison: '>= 9.0'."],
  ],
  'a text is in no order': [
    { architecture: '>= Hopper' },
    ["architecture: '>=' does not compare text. Use the value, or '!= ' and the value."],
  ],
  'a text is no number': [
    { architecture: 9 },
    ["architecture: '9' is not text. Use the value that the driver publishes, in quotes if it looks like a number."],
  ],
  'a flag is no text': [{ driver: 'dra.net', rdma: 'yes' }, ["rdma: 'yes' is not true or false. Write true or false."]],
  'a number is no flag': [
    { driver: 'dra.net', mtu: true },
    ["mtu: 'true' is not a whole number. Write a number or a comparison: '>= 1'."],
  ],
  'an amount is not one of some': [
    { memory: ['79Gi', '80Gi'] },
    ['memory: a list of values is allowed for text and whole numbers only. Use a comparison, or CEL in selectors.'],
  ],
  'a list without values': [
    { architecture: [] },
    ['architecture: no device matches an empty list. List the accepted values.'],
  ],
  'bounds that leave nothing': [
    { memory: '>= 90Gi, < 40Gi' },
    [
      'memory: no device matches >= 90Gi and < 40Gi at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
  'bounds that touch and leave nothing': [
    { memory: '> 40Gi, <= 40960Mi' },
    [
      'memory: no device matches > 40Gi and <= 40960Mi at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
  'two values at once': [
    { cudaComputeCapability: '8.9, 9.0' },
    [
      'cudaComputeCapability: no device matches == 8.9.0 and == 9.0.0 at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
  'a value that its own bound rules out': [
    { cudaComputeCapability: '>= 10.0, 9.0' },
    [
      'cudaComputeCapability: no device matches >= 10.0.0 and == 9.0.0 at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
  'an architecture that lacks the number format': [
    { architecture: 'Turing', supports: 'FP8' },
    [
      'architecture: no device matches architecture and supports at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
  'an architecture of another compute capability': [
    { architecture: ['Ampere', 'Turing'], cudaComputeCapability: '>= 8.9' },
    [
      'architecture: no device matches architecture and cudaComputeCapability at the same time. Keep one of them, or split the request into alternatives.',
    ],
  ],
};

describe('where', () => {
  test.each(Object.entries(rows))('%s', (_, [where, want]) => {
    expect(readWhere(where)).toMatchObject({ condition: { cel: want } });
    expect(() => compileSelector(want)).not.toThrow();
  });

  test.each(Object.entries(bad))('%s', (_, [where, want]) => {
    const read = readWhere(where);
    const findings = 'findings' in read ? read.findings : [];
    expect(findings.map((one) => formatDiagnostic(relocate(one, (path) => path.join('.'))))).toEqual(want);
  });

  test.each<Where>([
    { memory: '>= 40Gi, <= 40Gi' },
    { memory: '> 0' },
    { memory: '>= 23034000000' },
    { multiprocessors: '>= 14' },
    { memory: '>= 40Gi, > 30Gi' },
    { architecture: '!= Turing', supports: 'INT8' },
    { architecture: 'Ampere', cudaComputeCapability: '>= 8.7' },
    { architecture: 'Blackwell', cudaComputeCapability: '>= 12.1' },
    { architecture: 'Rubin', supports: 'FP4' },
  ])('%j contradicts nothing that is known', (where) => {
    expect(readWhere(where)).toHaveProperty('condition');
  });
});
