import { type Diagnostic, warningAt } from '../base/diagnostic';
import { isDeepEqual } from '../base/deep-equal';
import { listAt, textAt, valueAt } from '../base/json';
import type { Fleet } from '../fleet/fleet';
import { identityOf, type Manifest } from '../manifest/kubernetes/manifest';
import { serviceNameOf } from '../manifest/kubernetes/object-names';
import type { ProgramChart } from '../manifest/program-charts';
import type { ManifestFile } from './fleet';

/**
 * Finds objects of a program that contradict what the plan reserves and what network policies let through: an
 * autoscaler of more pods than there are devices for, and an Ingress whose requests are dropped.
 *
 * @param rendered the files of clusters, without changes of the program
 */
export function findProgramWarnings(
  fleet: Fleet,
  rendered: readonly ManifestFile[],
  charts: readonly ProgramChart[],
): Diagnostic[] {
  return charts
    .filter(({ isCluster }) => isCluster)
    .flatMap(({ name, objects }) => {
      const emitted = rendered.filter(({ folder }) => folder === name).flatMap(({ manifests }) => manifests);
      const known = new Map(emitted.map((one) => [identityOf(one), one]));
      const own = objects.filter((one) => !isDeepEqual(known.get(identityOf(one)), one));
      const place: ProgramPlace = { fleet, emitted, own };
      return own.flatMap((object) =>
        FINDERS.flatMap((find) => find(object, place)).map(
          ({ code, path, what, hint }): Diagnostic =>
            warningAt(code, `${name} ${formatObject(object)} ${path}`, what, hint),
        ),
      );
    });
}

/** The objects of a cluster: those that are rendered, and those that a program adds or changes. */
interface ProgramPlace {
  readonly fleet: Fleet;
  readonly emitted: readonly Manifest[];
  readonly own: readonly Manifest[];
}

interface ObjectFinding {
  readonly code: 'blocked-ingress' | 'unreserved-copies';
  readonly path: string;
  readonly what: string;
  readonly hint: string;
}

/** The field of each kind of autoscaler with the most pods. */
const MOST_PODS: Readonly<Record<string, string>> = {
  HorizontalPodAutoscaler: 'maxReplicas',
  ScaledObject: 'maxReplicaCount',
};

function findUnreservedCopies(object: Manifest, { emitted }: ProgramPlace): ObjectFinding[] {
  const field = MOST_PODS[object.kind];
  const most = field === undefined ? undefined : valueAt(object.spec, [field]);
  if (field === undefined || typeof most !== 'number') return [];
  const [kind, name] = ['kind', 'name'].map((part) => textAt(object.spec, ['scaleTargetRef', part]));
  const isTarget = (one: Manifest): boolean => one.kind === kind && isNamed(one, object, name);
  const reserved = valueAt(emitted.find(isTarget)?.spec, ['replicas']);
  if (typeof reserved !== 'number' || most <= reserved) return [];
  const what = `the autoscaler adds up to ${most} copies of ${kind} ${name}, and the plan reserves devices for ${reserved}`;
  const hint = `Set 'copies: ${most}' of the engine, or '${field}' to at most ${reserved}`;
  return [{ code: 'unreserved-copies', path: `spec.${field}`, what, hint }];
}

function findBlockedBackends(object: Manifest, { fleet, emitted, own }: ProgramPlace): ObjectFinding[] {
  if (object.kind !== 'Ingress') return [];
  const { namespace } = object.metadata;
  const opens = own.some((one) => one.kind === 'NetworkPolicy' && one.metadata.namespace === namespace);
  if (opens) return [];
  const services = new Set(listBackends(object));
  return fleet.deployments.flatMap((deployment) => {
    const { enabled, from } = deployment.spec.template.spec.networkPolicy;
    const service = serviceNameOf(deployment.metadata);
    const isServed = emitted.some((one) => one.kind === 'Service' && isNamed(one, object, service));
    const isOwn = deployment.metadata.namespace === namespace && services.has(service) && isServed;
    if (!isOwn || !enabled || from.length > 0) return [];
    const id = `${deployment.metadata.namespace}/${deployment.metadata.name}`;
    const what = `the network policy of ModelDeployment ${id} drops the requests of this Ingress`;
    const hint = "Set 'networkPolicy.from' of the deployment to the pods of the Ingress controller";
    return [{ code: 'blocked-ingress', path: 'spec', what, hint }];
  });
}

/** The names of the Services that an Ingress sends requests to. */
function listBackends({ spec }: Manifest): string[] {
  const paths = listAt(spec, ['rules']).flatMap((rule) => listAt(rule, ['http', 'paths']));
  const backends = [...paths.map((path) => valueAt(path, ['backend'])), valueAt(spec, ['defaultBackend'])];
  return backends.map((backend) => textAt(backend, ['service', 'name']));
}

const FINDERS: readonly ((object: Manifest, place: ProgramPlace) => ObjectFinding[])[] = [
  findUnreservedCopies,
  findBlockedBackends,
];

function isNamed({ metadata }: Manifest, { metadata: { namespace } }: Manifest, name: string | undefined): boolean {
  return metadata.namespace === namespace && metadata.name === name;
}

function formatObject({ kind, metadata: { namespace, name } }: Manifest): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}
