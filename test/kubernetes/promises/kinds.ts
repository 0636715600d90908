/** A kind of device as its driver publishes it. */
export interface Kind {
  readonly driver: string;
  readonly deviceClassName: string;
  readonly extendedResource: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly capacity: Readonly<Record<string, { readonly value: string; readonly requestPolicy?: object }>>;

  /** Whether several pods can have a part of one device each. */
  readonly allowMultipleAllocations?: true;

  /** What it takes of the counters of a GPU that the driver divides, one item for each device of a GPU. */
  readonly placements?: readonly Readonly<Record<string, string>>[];
}

export type KindName = 'l4' | 'a100' | 'h100' | 'h200' | 'slice' | 'shared' | 'nic' | 'divided' | 'seventh' | 'half';

/** The kinds that come with a GPU that the driver divides. */
export const PARTITIONS: readonly KindName[] = ['seventh', 'half'];

/** What a GPU that the driver divides has of each counter: those of a B200, less those that nothing is short of. */
export const COUNTERS = takes(7, 0, 8);

/**
 * The devices of generated fleets: GPUs that differ by one attribute or another, a part of a GPU, a
 * GPU that pods share, a network card, a GPU that the driver divides on demand, and its parts.
 */
export const KINDS: Readonly<Record<KindName, Kind>> = {
  l4: gpu('NVIDIA L4', 'Ada Lovelace', '8.9.0', '23034Mi'),
  a100: gpu('NVIDIA A100-SXM4-40GB', 'Ampere', '8.0.0', '40960Mi'),
  h100: gpu('NVIDIA H100 80GB HBM3', 'Hopper', '9.0.0', '81559Mi'),
  h200: gpu('NVIDIA H200', 'Hopper', '9.0.0', '143771Mi'),
  slice: gpu('NVIDIA H100 80GB HBM3', 'Hopper', '9.0.0', '40448Mi', {
    type: { string: 'mig' },
    profile: { string: '3g.40gb' },
  }),
  shared: {
    ...gpu('NVIDIA L40S', 'Ada Lovelace', '8.9.0', '46068Mi'),
    allowMultipleAllocations: true,
    capacity: {
      memory: { value: '46068Mi', requestPolicy: policy('46000Mi', '1000Mi', '46000Mi', '1000Mi') },
      shares: { value: '6', requestPolicy: policy('1', '1', '6', '1') },
    },
  },
  nic: {
    driver: 'dra.net',
    deviceClassName: 'dranet',
    extendedResource: 'example.com/nic',
    attributes: { rdma: { bool: true }, 'dra.net/ifName': { string: 'rdma0' } },
    capacity: {},
  },
  divided: { ...gpu('NVIDIA B200', 'Blackwell', '10.0.0', '183359Mi'), placements: [COUNTERS] },
  seventh: {
    ...gpu('NVIDIA B200', 'Blackwell', '10.0.0', '23552Mi', {
      type: { string: 'mig' },
      profile: { string: '1g.23gb' },
    }),
    placements: [0, 1, 2, 3, 4, 5, 6].map((slice) => takes(1, slice, 1)),
  },
  half: {
    ...gpu('NVIDIA B200', 'Blackwell', '10.0.0', '91648Mi', {
      type: { string: 'mig' },
      profile: { string: '3g.90gb' },
    }),
    placements: [0, 4].map((slice) => takes(3, slice, 4)),
  },
};

function takes(compute: number, start: number, slices: number): Record<string, string> {
  const own = Array.from({ length: slices }, (_, i) => [`memory-slice-${start + i}`, '1']);
  return { multiprocessors: String(compute), ...Object.fromEntries(own) };
}

function policy(standard: string, min: string, max: string, step: string): object {
  return { default: standard, validRange: { min, max, step } };
}

function gpu(productName: string, architecture: string, compute: string, memory: string, more = {}): Kind {
  return {
    driver: 'gpu.nvidia.com',
    // A class of the user's own: that of the driver leaves out parts of GPUs.
    deviceClassName: 'any-gpu.example.com',
    // Device plugins count parts of a GPU apart.
    extendedResource: 'profile' in more ? 'nvidia.com/mig-3g.40gb' : 'nvidia.com/gpu',
    attributes: {
      type: { string: 'gpu' },
      productName: { string: productName },
      architecture: { string: architecture },
      cudaComputeCapability: { version: compute },
      ...more,
    },
    capacity: { memory: { value: memory } },
  };
}

const A = 'device.attributes["gpu.nvidia.com"]';
const GPUS: readonly KindName[] = ['l4', 'a100', 'h100', 'h200', 'slice', 'shared', 'divided', 'seventh', 'half'];

/** What a request may ask for: a selector, and by hand the kinds that it means. */
export interface Wish {
  readonly cel: string;
  readonly kinds: readonly KindName[];

  /** The kinds of its device class on which Kubernetes cannot evaluate it. */
  readonly fails?: readonly KindName[];
}

/** Exact ones, flexible ones, ones that fail on some devices. */
export const WISHES = {
  ada: { cel: `${A}.architecture == "Ada Lovelace"`, kinds: ['l4', 'shared'] },
  hopper: { cel: `${A}.architecture == "Hopper"`, kinds: ['h100', 'h200', 'slice'] },
  wholeHopper: { cel: `${A}.type == "gpu" && ${A}.architecture == "Hopper"`, kinds: ['h100', 'h200'] },
  a100: { cel: `${A}.productName.contains("A100")`, kinds: ['a100'] },
  h100: { cel: `${A}.type == "gpu" && ${A}.productName.startsWith("NVIDIA H100")`, kinds: ['h100'] },
  h200: {
    cel: `device.capacity["gpu.nvidia.com"].memory.isGreaterThan(quantity("100Gi"))`,
    kinds: ['h200', 'divided'],
  },
  from40: {
    cel: `device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0`,
    kinds: ['a100', 'h100', 'h200', 'shared', 'divided', 'half'],
  },
  recent: {
    cel: `${A}.cudaComputeCapability.compareTo(semver("8.9.0")) >= 0`,
    kinds: ['l4', 'h100', 'h200', 'slice', 'shared', 'divided', 'seventh', 'half'],
  },
  anyGpu: { cel: 'device.driver == "gpu.nvidia.com"', kinds: GPUS },
  guarded: { cel: `"profile" in ${A} && ${A}.profile == "3g.40gb"`, kinds: ['slice'] },
  unguarded: {
    cel: `${A}.profile == "3g.40gb"`,
    kinds: ['slice'],
    fails: ['l4', 'a100', 'h100', 'h200', 'shared', 'divided'],
  },
  seventh: { cel: `"profile" in ${A} && ${A}.profile == "1g.23gb"`, kinds: ['seventh'] },
  half: { cel: `"profile" in ${A} && ${A}.profile == "3g.90gb"`, kinds: ['half'] },
  blackwellPart: {
    cel: `${A}.type == "mig" && ${A}.architecture == "Blackwell"`,
    kinds: ['seventh', 'half'],
  },
  wholeBlackwell: { cel: `${A}.type == "gpu" && ${A}.architecture == "Blackwell"`, kinds: ['divided'] },
  share: { cel: `${A}.productName == "NVIDIA L40S"`, kinds: ['shared'] },
  nic: { cel: 'device.driver == "dra.net" && device.attributes["dra.net"].rdma', kinds: ['nic'] },
  anything: { cel: 'true', kinds: [...GPUS, 'nic'] },
} as const satisfies Readonly<Record<string, Wish>>;

export type WishName = keyof typeof WISHES;

/** A wish by its name. */
export function wish(name: WishName): Wish {
  return WISHES[name];
}
