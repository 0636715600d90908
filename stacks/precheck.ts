import { runtime } from '@pulumi/pulumi';
import type { InferenceCluster } from '../src/api/inference-cluster';
import type { Locate } from '../src/api/locate';
import type { ServingName } from '../src/api/serving-stack';
import type { Problem } from '../src/errors';
import type { Fleet } from '../src/fleet';
import { examineLive } from '../src/kubernetes/examine-live';
import { Unreachable } from '../src/kubernetes/unreachable';
import { noAnswer } from '../src/live/finding';
import { findingProblems, type FindingProblems } from '../src/live/finding-problems';
import { hasInferencePools } from '../src/provision/releases/inference-pool';
import { releasesInstalled } from '../src/provision/releases/releases-of';
import type { Question } from './ask-clusters';

/** What is declared of a cluster, to compare it with what is there. */
export interface DeclaredCluster {
  readonly cluster: InferenceCluster;

  /** The fleet that it is of, with the hardware of its classes. */
  readonly fleet: Fleet;

  /**
   * Finds places in the declarations.
   *
   * @default - classes are told by their names
   */
  readonly locate?: Locate;
}

/**
 * Compares a running cluster with what is declared of it, as `fleetwright doctor` does; what the serving stack brings is
 * not missed. In a preview, a cluster that cannot be asked is a warning.
 */
export function precheck(declared: DeclaredCluster, reached: Question['reached']): Question {
  const { cluster, fleet, locate = byName } = declared;
  const { name } = cluster.metadata;
  const coming = new Set<ServingName>(releasesInstalled(cluster, fleet).map(({ key }) => key));
  if (hasInferencePools({ cluster })) coming.add('inferenceCrds');
  return {
    cluster: name,
    reached,
    unasked,
    async ask(access, options) {
      const found = await examineLive({ cluster, fleet, locate, coming }, access, options);
      return found instanceof Unreachable
        ? unasked(findingProblems(name, [noAnswer(found.message)]).problems)
        : findingProblems(name, found);
    },
  };
}

/** Previews need no cluster. */
function unasked(problems: readonly Problem[]): FindingProblems {
  if (!runtime.isDryRun()) return { problems, warnings: [] };
  const what = 'it cannot be compared with what is declared of it';
  return { problems: [], warnings: problems.map((one) => ({ ...one, what: `${one.what}, and ${what}` })) };
}

function byName({ kind, metadata: { name } }: Parameters<Locate>[0]): string {
  return `${kind} ${name}`;
}
