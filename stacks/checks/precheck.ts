import { runtime } from '@pulumi/pulumi';
import type { InferenceCluster } from '../../src/api/inference-cluster';
import type { Locate } from '../../src/api/kinds';
import type { ServingStackEntry } from '../../src/api/serving-stack';
import { asWarning, type Diagnostic } from '../../src/base/diagnostic';
import type { Fleet } from '../../src/fleet/fleet';
import { UnreachableError } from '../../src/live/client/unreachable-error';
import { examineCluster } from '../../src/live/doctor/examine-cluster';
import { type ClusterProblems, reportNoAnswer, toClusterProblems } from '../../src/live/finding';
import { listInstalledReleases } from '../../src/provision/releases/cluster-releases';
import { hasInferencePools } from '../../src/provision/releases/inference-pool';
import type { ClusterCheck } from './cluster-checks';

/** A declared cluster, which is compared with the running cluster. */
export interface DeclaredCluster {
  readonly cluster: InferenceCluster;

  /** The fleet of the cluster, with the hardware of its classes. */
  readonly fleet: Fleet;

  /**
   * Finds positions in the declarations.
   *
   * @default - classes are identified by name
   */
  readonly locate?: Locate;
}

/**
 * Creates the check that compares a running cluster with its declaration, as `fleetwright doctor` does. Objects that
 * the serving stack installs are not reported as missing. In a preview, a cluster that does not answer is a warning.
 */
export function createPrecheck(declared: DeclaredCluster, reached: ClusterCheck['reached']): ClusterCheck {
  const { cluster, fleet, locate = formatResourceName } = declared;
  const { name } = cluster.metadata;
  const coming = new Set<ServingStackEntry>(listInstalledReleases(cluster, fleet).map(({ key }) => key));
  if (hasInferencePools({ cluster })) coming.add('inferenceCrds');
  return {
    cluster: name,
    reached,
    unasked: tolerateInPreview,
    async ask(access, options) {
      const found = await examineCluster({ cluster, fleet, locate, pendingInstalls: coming }, access, options);
      return found instanceof UnreachableError
        ? tolerateInPreview(toClusterProblems([reportNoAnswer(name, found.message)]).problems)
        : toClusterProblems(found);
    },
  };
}

/** Turns problems into warnings in a preview, which needs no cluster. */
function tolerateInPreview(problems: readonly Diagnostic[]): ClusterProblems {
  if (!runtime.isDryRun()) return { problems, warnings: [] };
  const what = 'it cannot be compared with its declaration';
  const warnings = problems.map((one) => asWarning({ ...one, message: `${one.message}, and ${what}` }));
  return { problems: [], warnings };
}

function formatResourceName({ kind, metadata: { name } }: Parameters<Locate>[0]): string {
  return `${kind} ${name}`;
}
