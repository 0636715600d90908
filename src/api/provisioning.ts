import { z } from 'zod';
import { errorAt } from '../base/diagnostic';
import { PROVIDER_BLOCK, PROVIDERS } from './cloud-providers';
import { fields, withDefault } from './schema/fields';
import { integer } from './schema/quantity';
import { requireChosenBlock, rules, type SchemaRule } from './schema/rules';
import { nonEmptyText, stringFormat } from './schema/string-formats';

const diskSizeGb = withDefault(integer(10, 65_536), 100, 'The boot disk of a node, in GB.');

const accelerator = fields({
  type: nonEmptyText(63).describe('The name of the GPU in the API of the cloud: nvidia-h100-80gb.'),
  count: integer(1, 16).describe('GPUs of a node.'),
}).describe('The GPUs of a node, for the API of the cloud only. Placement uses devices.');

/** The AMI types with a driver but no device plugin, which would register the devices twice (EKS user guide). */
export const AMI_TYPES = ['AL2023_x86_64_NVIDIA', 'AL2023_ARM_64_NVIDIA', 'AL2023_x86_64_NEURON'] as const;

const gke = fields({
  machineType: nonEmptyText(253).describe('Compute Engine machine type: g2-standard-8.'),
  diskSizeGb,
  accelerator,
  driver: z
    .enum(['SelfManaged', 'GKEManaged'])
    .optional()
    .describe(
      'Who installs the GPU driver. SelfManaged: a DaemonSet on the cluster, as GKE requires for DRA. GKEManaged: GKE, whose device plugin then also announces the GPUs. Default: SelfManaged.',
    ),
  spot: z
    .boolean()
    .optional()
    .describe('Whether nodes use spot capacity, which is cheaper and which the cloud can take back. Default: false.'),
  flexStart: z
    .boolean()
    .optional()
    .describe(
      'Whether nodes come from flex-start capacity: they start when the cloud has room, and run for at most seven days. The pool scales from zero. Default: false.',
    ),
  reservation: nonEmptyText(253).optional().describe('The reservation that nodes come from. Default: none, on demand.'),
  compactPlacement: z
    .boolean()
    .optional()
    .describe('Whether nodes are placed close together, in one zone. Default: false.'),
  fabric: z
    .enum(['None', 'DRANET'])
    .optional()
    .describe(
      'DRANET: GKE gives nodes the network cards for GPU traffic, and pods claim them. A3, A4 and A4X machines. Default: None.',
    ),
  localSsd: integer(1, 32).optional().describe('Local SSDs for the files and images of pods. Default: none.'),
});
const eks = fields({
  instanceType: nonEmptyText(253).describe('EC2 instance type: p5.48xlarge.'),
  diskSizeGb,
  accelerator,
  amiType: z
    .enum(AMI_TYPES)
    .optional()
    .describe('The kind of image of a node. Default: the one with the driver of its devices, for its processor.'),
  spot: z
    .boolean()
    .optional()
    .describe('Whether nodes use spot capacity, which is cheaper and which the cloud can take back. Default: false.'),
  placementGroup: z
    .boolean()
    .optional()
    .describe('Whether nodes of a pool are placed close together, in one zone. Default: false.'),
});
const capacityReservationGroup = stringFormat({
  noun: 'a capacity reservation group',
  code: 'bad-name',
  pattern:
    /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/capacityReservationGroups\/[^/]+$/,
  max: 512,
  hint: "Use its resource ID: '/subscriptions/SUBSCRIPTION/resourceGroups/GROUP/providers/Microsoft.Compute/capacityReservationGroups/NAME'",
});
const aks = fields({
  vmSize: nonEmptyText(253).describe('Azure VM size: Standard_ND96isr_H100_v5.'),
  diskSizeGb,
  accelerator,
  spot: z
    .boolean()
    .optional()
    .describe('Whether nodes use spot capacity, which is cheaper and which the cloud can take back. Default: false.'),
  capacityReservationGroup: capacityReservationGroup
    .optional()
    .describe(
      'The resource ID of the capacity reservation group that nodes come from. It must reserve this size in the zones of the pool. Default: none, on demand.',
    ),
});
const nebius = fields({
  platform: nonEmptyText(63).describe('Nebius platform: gpu-h100-sxm.'),
  preset: nonEmptyText(63).describe('Resource preset of the platform: 8gpu-128vcpu-1600gb.'),
  driversPreset: withDefault(nonEmptyText(63), 'cuda13.0', 'The driver stack of the node.'),
  diskSizeGb,
  accelerator,
});
const vultr = fields({ plan: nonEmptyText(63).describe('Vultr plan: vcg-l40s-16c-180g-48vram.'), accelerator });

const provider = z.enum(PROVIDERS).describe('The cloud. The block of the same name is required.');

/** The mutually exclusive sources of capacity on GKE. */
const GKE_CAPACITY = ['spot', 'flexStart', 'reservation'] as const;

/** The mutually exclusive sources of capacity on AKS. */
const AKS_CAPACITY = ['spot', 'capacityReservationGroup'] as const;

const oneCapacity: SchemaRule<{
  gke?: z.output<typeof gke> | undefined;
  aks?: z.output<typeof aks> | undefined;
}> = function* (declared) {
  const sources = {
    gke: GKE_CAPACITY.filter((field) => declared.gke?.[field]),
    aks: AKS_CAPACITY.filter((field) => declared.aks?.[field]),
  };
  for (const [block, [first, second]] of Object.entries(sources)) {
    if (!first || !second) continue;
    const what = `a class cannot have both ${first} and ${second}`;
    yield errorAt('contradiction', [block, second], what, 'Keep one of the two');
  }
};

/** How a cloud provisions a node of a class. Blocks of other providers are accepted and have no effect. */
export const provisioning = fields({
  provider,
  gke: gke.optional().describe('For provider GKE.'),
  eks: eks.optional().describe('For provider EKS.'),
  aks: aks.optional().describe('For provider AKS.'),
  nebius: nebius.optional().describe('For provider Nebius.'),
  vultr: vultr.optional().describe('For provider Vultr.'),
}).check(rules(requireChosenBlock('class', 'provider', PROVIDER_BLOCK), oneCapacity));

export type Provisioning = z.output<typeof provisioning>;

/** The schema of provisioning as declared in a class. Fields from the catalog can be omitted. */
export const declaredProvisioning = fields({
  provider: provider.optional(),
  gke: gke.partial().optional().describe('For provider GKE.'),
  eks: eks.partial().optional().describe('For provider EKS.'),
  aks: aks.partial().optional().describe('For provider AKS.'),
  nebius: nebius.partial().optional().describe('For provider Nebius.'),
  vultr: vultr.partial().optional().describe('For provider Vultr.'),
});

/** The provisioning as declared in a class, without the fields from the catalog. */
export type DeclaredProvisioning = z.output<typeof declaredProvisioning>;
