import type { Command } from 'commander';
import type * as Reference from '../../api/field-reference';
import { sortUnique } from '../../base/order';
import { findProgram } from '../../files/fleet-paths';
import type { DeclaredInput } from '../read-inputs';
import { readInput } from '../read-inputs';
import { EXIT, type ExitCode } from '../exit-code';
import type { Io } from '../output';

/** The names that words of a command line can be. */
type NameSource = 'cluster' | 'deployment' | 'deploymentOrNamespace' | 'pool' | 'service' | 'endpoint' | 'class';

type Resources = DeclaredInput['resources'];

const NAMES: Readonly<Record<NameSource, (resources: Resources) => string[]>> = {
  cluster: (all) => namesOf(all, 'InferenceCluster'),
  class: (all) => namesOf(all, 'InferenceClass').map((name) => `class/${name}`),
  deployment: (all) => idsOf(all, 'ModelDeployment'),
  deploymentOrNamespace: (all) => {
    const ids = idsOf(all, 'ModelDeployment');
    return [...ids, ...ids.map((id) => id.split('/')[0] ?? id)];
  },
  pool: (all) =>
    all.flatMap((one) =>
      one.kind === 'InferenceCluster' ? one.spec.nodePools.map(({ name }) => `${one.metadata.name}/${name}`) : [],
    ),
  service: (all) => idsOf(all, 'ModelService'),
  endpoint: (all) => idsOf(all, 'ModelEndpoint'),
};

/** What a flag takes, by its name. Flags with choices say them themselves. */
const FLAG_VALUES: Readonly<Record<string, readonly NameSource[]>> = {
  '--only': ['deploymentOrNamespace'],
  '--cluster': ['cluster'],
  '--service': ['service'],
  '--endpoint': ['endpoint'],
  '--lose': ['cluster'],
  '--drain': ['cluster'],
};

/** What the first argument of a command is. */
const ARGUMENTS: Readonly<Record<string, readonly NameSource[]>> = {
  doctor: ['cluster'],
  explain: ['deployment', 'class'],
};

function namesOf(resources: Resources, kind: string): string[] {
  return resources.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
}

function idsOf(resources: Resources, kind: string): string[] {
  return resources
    .filter((one) => one.kind === kind)
    .map(({ metadata: { namespace, name } }) => (namespace === undefined ? name : `${namespace}/${name}`));
}
