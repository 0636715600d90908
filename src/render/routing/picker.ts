import { createHash } from 'node:crypto';
import { ENDPOINT_PICKER } from '../../catalog/engines/endpoint-picker';
import { type Picking, pickerConfig } from '../../catalog/engines/picker-plugins';
import type { EdgeBackend } from '../../routing/places';
import { CONFIG_DIGEST } from '../annotations';
import { type Labels, pickedSelector, pickerSelector } from '../labels';
import type { JsonObject, Manifest, ObjectMeta } from '../manifest';
import { pulledFrom } from '../mirror';
import { pickerName, SYSTEM_NAMESPACE } from '../names';
import { offPools, toleratesPools } from '../off-pools';
import { formatDocuments } from '../yaml';
import { type Place, routeMeta } from './meta';
import { pickerNetwork } from './picker-network';

/** A member whose pods an endpoint picker chooses among. */
export interface Picked {
  readonly backend: EdgeBackend;
  readonly picking: Picking;
  readonly place: Place;
}

/** The name of all objects of a picker. */
export function nameOfPicker({ service, tier, deployment, hostname }: EdgeBackend): string {
  return pickerName(service, { tier, target: deployment.name, hostname });
}

/**
 * The endpoint picker of a member, beside the gateways.
 *
 * There is one of it: what it remembers of pods is its own, and a second one would see half of the requests. While it
 * is away gateways choose by themselves. So no budget holds it: one for a single pod would only hold up drains.
 */
export function picker(picked: Picked): Manifest[] {
  const config = formatDocuments([pickerConfig(picked.picking)], 'Written by fleetwright.');
  return [
    object(picked, 'v1', 'ServiceAccount', { automountServiceAccountToken: false }),
    ...mayReadPods(picked),
    object(picked, 'v1', 'ConfigMap', { data: { [ENDPOINT_PICKER.configFile]: config } }),
    object(picked, 'apps/v1', 'Deployment', { spec: workload(picked, config) }),
    object(picked, 'v1', 'Service', { spec: serviceSpec(picked) }),
    pickerNetwork(meta(picked), labels(picked)),
  ];
}

function meta({ backend, place }: Picked, namespace = SYSTEM_NAMESPACE): ObjectMeta {
  const { labels: ours, ...rest } = routeMeta(backend.service, place, nameOfPicker(backend), namespace);
  return { ...rest, labels: { ...ours, ...COMPONENT } };
}

const COMPONENT = { 'app.kubernetes.io/component': ENDPOINT_PICKER.name };

function labels({ backend }: Picked): Labels {
  return pickerSelector(nameOfPicker(backend));
}

function object(picked: Picked, apiVersion: string, kind: string, rest: JsonObject): Manifest {
  return { apiVersion, kind, metadata: meta(picked), ...rest };
}

/** In the namespace of the deployment, and nowhere else: which pods there are, and whether they are ready. */
function mayReadPods(picked: Picked): Manifest[] {
  const metadata = meta(picked, picked.backend.deployment.namespace);
  const { name } = metadata;
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }];
  const roleRef = { apiGroup: RBAC_GROUP, kind: 'Role', name };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: SYSTEM_NAMESPACE }];
  return [
    { apiVersion: RBAC, kind: 'Role', metadata, rules },
    { apiVersion: RBAC, kind: 'RoleBinding', metadata, roleRef, subjects },
  ];
}

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const RBAC = `${RBAC_GROUP}/v1`;

function serviceSpec(picked: Picked): JsonObject {
  const { port } = ENDPOINT_PICKER;
  return {
    type: 'ClusterIP',
    selector: labels(picked),
    ports: [{ name: 'grpc', port, targetPort: port, appProtocol: 'kubernetes.io/h2c' }],
  };
}

function workload(picked: Picked, config: string): JsonObject {
  const digest = createHash('sha256').update(config).digest('hex').slice(0, 16);
  return {
    replicas: 1,
    selector: { matchLabels: labels(picked) },
    // The next one takes over while the last one still answers.
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: {
      metadata: {
        labels: { ...meta(picked).labels, ...labels(picked) },
        annotations: { [CONFIG_DIGEST]: digest },
      },
      spec: podSpec(picked),
    },
  };
}

function podSpec(picked: Picked): JsonObject {
  const { backend, place } = picked;
  const name = nameOfPicker(backend);
  return {
    serviceAccountName: name,
    // It asks the API server for pods.
    automountServiceAccountToken: true,
    enableServiceLinks: false,
    affinity: offPools(place.cluster),
    tolerations: toleratesPools(place.cluster),
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [container(picked)],
    volumes: [{ name: CONFIG, configMap: { name } }],
  };
}

const CONFIG = 'config';

function container({ backend, place }: Picked): JsonObject {
  const { image, port, healthPort, metricsPort, healthService, configFolder, user } = ENDPOINT_PICKER;
  const { deployment, replica, target } = backend;
  const selector = pickedSelector(deployment.name, replica);
  const { namespace } = deployment;
  const probe = { grpc: { port: healthPort, service: healthService } };
  return {
    name: ENDPOINT_PICKER.name,
    image: pulledFrom(place.cluster, image),
    args: ENDPOINT_PICKER.args({ namespace, selector, port: target.containerPort }),
    // By the name of its pod it knows its own.
    env: [{ name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ports: [
      { name: 'grpc', containerPort: port },
      { name: 'health', containerPort: healthPort },
      { name: 'metrics', containerPort: metricsPort },
    ],
    readinessProbe: { ...probe, periodSeconds: 2 },
    livenessProbe: { ...probe, initialDelaySeconds: 5, periodSeconds: 10 },
    resources: ENDPOINT_PICKER.resources,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: user,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [{ name: CONFIG, mountPath: configFolder, readOnly: true }],
  };
}
