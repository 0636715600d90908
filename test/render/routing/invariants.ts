import type { Manifest } from '../../../src/render/manifest';
import { objectRefs } from '../../../src/render/object-refs';
import type { Doc } from '../../api/build';

/** What gateways and routes of one cluster owe their users, as sentences about what breaks it. Empty: nothing does. */
export function breaches(manifests: readonly Manifest[]): string[] {
  const routes = manifests.filter(({ kind }) => kind === 'HTTPRoute');
  return [
    ...routes.flatMap((route) => [
      ...unguarded(route, manifests),
      ...notOnePolicy(route, manifests),
      ...exposedCredential(route, manifests),
    ]),
    ...manifests.flatMap((manifest) => [...dangling(manifest, manifests), ...ungranted(manifest, manifests)]),
    ...unproven(manifests),
  ];
}

const name = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.namespace}/${metadata.name}`;

/** Routes of a front need a key or a token, those of others a Gateway that asks for a certificate. */
function unguarded(route: Manifest, manifests: readonly Manifest[]): string[] {
  const [gateway] = gatewaysOf(route, manifests);
  if (!gateway) return [`${name(route)} is for no Gateway`];
  const policy = policiesOf(gateway, 'ClientTrafficPolicy', manifests)[0]?.spec as Doc | undefined;
  const tls = policy?.['tls'] as Doc | undefined;
  const byCertificate = tls?.['clientValidation'] !== undefined;
  const byPolicy = policiesOf(route, 'SecurityPolicy', manifests).length === 1;
  return byCertificate || byPolicy ? [] : [`${name(route)} lets everybody in`];
}

/** Of each kind of policy one applies to a route; a second one counts for nothing. */
function notOnePolicy(route: Manifest, manifests: readonly Manifest[]): string[] {
  return ['SecurityPolicy', 'BackendTrafficPolicy', 'EnvoyExtensionPolicy'].flatMap((kind) => {
    const { length } = policiesOf(route, kind, manifests);
    const sends = JSON.stringify(route).includes('"backendRefs"');
    const needed = kind === 'BackendTrafficPolicy' && sends ? 1 : 0;
    return length > 1 || length < needed ? [`${name(route)} has ${length} of ${kind}`] : [];
  });
}

/** A credential of a provider is put on behind a Service of the cluster only. */
function exposedCredential(route: Manifest, manifests: readonly Manifest[]): string[] {
  const filters = objectRefs(route).filter(({ kind }) => kind === 'HTTPRouteFilter');
  const injects = manifests.filter(
    (one) => one.kind === 'HTTPRouteFilter' && one.spec?.['credentialInjection'] !== undefined,
  );
  const carries = injects.some(({ metadata }) =>
    filters.some((ref) => ref.name === metadata.name && ref.namespace === metadata.namespace),
  );
  if (!carries) return [];
  return gatewaysOf(route, manifests)
    .filter((gateway) => serviceType(gateway, manifests) !== 'ClusterIP')
    .map(() => `${name(route)} puts a credential on requests from outside`);
}

function serviceType(gateway: Manifest, manifests: readonly Manifest[]): unknown {
  const proxy = manifests.find(
    ({ kind, metadata }) => kind === 'EnvoyProxy' && metadata.name === gateway.metadata.name,
  );
  const { provider } = (proxy ?? gateway).spec as { provider: { kubernetes: Doc } };
  return (provider.kubernetes['envoyService'] as Doc)['type'];
}

/** What is referred to by kind and name, and is ours to make, is there: a policy without its target tells nobody. */
function dangling(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  return objectRefs(manifest)
    .filter(({ kind }) => OURS.has(kind))
    .filter(({ kind, name: wanted, namespace }) => {
      return !manifests.some(
        ({ kind: other, metadata }) =>
          other === kind && metadata.name === wanted && metadata.namespace === namespace,
      );
    })
    .map((ref) => `${name(manifest)} refers to ${ref.kind} ${ref.namespace}/${ref.name}, which is not there`);
}

const OURS: ReadonlySet<string> = new Set([
  'Backend',
  'EnvoyProxy',
  'Gateway',
  'HTTPRoute',
  'HTTPRouteFilter',
]);

/** What crosses namespaces is granted, by name. */
function ungranted(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const { apiVersion, kind, metadata } = manifest;
  if (kind === 'ReferenceGrant') return [];
  const from = { group: apiVersion.split('/')[0], kind, namespace: metadata.namespace };
  return objectRefs(manifest)
    .filter((ref) => ref.namespace !== metadata.namespace && ref.kind !== 'Gateway')
    .filter(({ group, kind: toKind, name: toName, namespace }) => {
      return !manifests.some((grant) => {
        const spec = grant.spec as { from: Doc[]; to: Doc[] };
        return (
          grant.kind === 'ReferenceGrant' &&
          grant.metadata.namespace === namespace &&
          spec.from.some((one) => same(one, from)) &&
          spec.to.some((one) => same(one, { group, kind: toKind, name: toName }))
        );
      });
    })
    .map((ref) => `${name(manifest)} may not refer to ${ref.kind} ${ref.namespace}/${ref.name}`);
}

function same(a: Doc, b: Doc): boolean {
  return Object.keys(b).every((key) => a[key] === b[key]);
}

/** Each Backend of TLS has a name that its certificate must have. */
function unproven(manifests: readonly Manifest[]): string[] {
  return manifests
    .filter(({ kind }) => kind === 'BackendTLSPolicy')
    .filter(({ spec }) => ((spec as Doc)['validation'] as Doc)['hostname'] === undefined)
    .map((policy) => `${name(policy)} takes every certificate`);
}

function gatewaysOf(route: Manifest, manifests: readonly Manifest[]): Manifest[] {
  const parents = objectRefs(route).filter(({ kind }) => kind === 'Gateway');
  return manifests.filter(({ kind, metadata }) => {
    return kind === 'Gateway' && parents.some((parent) => parent.name === metadata.name);
  });
}

function policiesOf(target: Manifest, kind: string, manifests: readonly Manifest[]): Manifest[] {
  return manifests.filter(
    (policy) =>
      policy.kind === kind &&
      policy.metadata.namespace === target.metadata.namespace &&
      objectRefs(policy).some((ref) => ref.kind === target.kind && ref.name === target.metadata.name),
  );
}
