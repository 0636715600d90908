import type { NodePool } from '../../api/node-pool';
import type { Path } from '../../api/resource';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import type { CloudPool } from '../node-pools';

/** A check of a pool on AKS. Paths are relative to the pool. */
type AksPoolRule = (pool: NodePool, checked: Omit<CloudPool<'aks'>, 'pool'>) => Iterable<Diagnostic<Path>>;

/** The most nodes of a pool (AKS documentation, "Quotas, size limits, and region availability"). */
const MOST_NODES = 1000;

const checkNodes: AksPoolRule = function* ({ name, nodeCount, maxNodeCount }) {
  const nodes = maxNodeCount ?? nodeCount;
  if (nodes <= MOST_NODES) return;
  const what = `pool '${name}' has ${nodes} nodes, and a pool on AKS has at most ${MOST_NODES}`;
  yield errorAt('bad-size', [maxNodeCount === undefined ? 'nodeCount' : 'maxNodeCount'], what, 'Use several pools');
};

/** The prefix of labels that AKS sets itself. It rejects pools with others. */
const RESERVED_LABELS = /^([-a-z0-9.]+\.)?kubernetes\.azure\.com\//;

const checkLabels: AksPoolRule = function* ({ labels }) {
  for (const key of Object.keys(labels)) {
    if (!RESERVED_LABELS.test(key)) continue;
    yield errorAt('reserved-label', ['labels', key], `AKS reserves the label '${key}'`, 'Use another prefix');
  }
};

/** The sizes of the boot disk, in GB, that AKS accepts. */
const DISK = { least: 30, most: 2048 };

const checkDisk: AksPoolRule = function* (_, { machine: { diskSizeGb }, declared }) {
  if (diskSizeGb >= DISK.least && diskSizeGb <= DISK.most) return;
  const what = `InferenceClass '${declared.metadata.name}' has a disk of ${diskSizeGb} GB, and AKS accepts ${DISK.least} to ${DISK.most}`;
  yield errorAt('bad-size', ['className'], what, 'Correct spec.provisioning.aks.diskSizeGb of the class');
};

/** Sizes with virtual GPUs. The driver that the GPU Operator installs does not run on them. */
const VIRTUAL_GPUS = /^Standard_NV/i;

const checkSize: AksPoolRule = function* (_, { machine: { vmSize }, declared }) {
  if (!VIRTUAL_GPUS.test(vmSize)) return;
  const what = `InferenceClass '${declared.metadata.name}' uses '${vmSize}', which has virtual GPUs: the driver that is installed on AKS does not support them`;
  yield errorAt('wrong-instance-type', ['className'], what, 'Use a size of the NC or ND series');
};

const RULES: readonly AksPoolRule[] = [checkNodes, checkLabels, checkDisk, checkSize];

/** Checks a pool for what only AKS rejects. */
export function* checkAksPool({ pool, ...checked }: CloudPool<'aks'>): Iterable<Diagnostic<Path>> {
  for (const rule of RULES) yield* rule(pool, checked);
}
