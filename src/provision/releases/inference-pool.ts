import { MANAGED_BY } from '../../manifest/kubernetes/labels-and-annotations';
import type { Json, JsonObject, Manifest } from '../../manifest/kubernetes/manifest';
import type { ReleaseContext } from './release';

/** The kind of a pod pool with an endpoint picker (Gateway API Inference Extension, v1). */
export const INFERENCE_POOL_KIND = {
  group: 'inference.networking.k8s.io',
  kind: 'InferencePool',
  version: 'v1',
} as const;

/** The plural name of the kind in API paths and RBAC rules. */
export const INFERENCE_POOL_PLURAL = 'inferencepools';

/** Whether Fleetwright installs the kind on a cluster, for pools of its users. Fleetwright itself does not need it. */
export function hasInferencePools({ cluster }: Pick<ReleaseContext, 'cluster'>): boolean {
  return cluster.spec.servingStack.inferenceCrds?.install === true;
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const DOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_VALUE = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

function textSchema(minLength: number, maxLength: number, pattern?: string): JsonObject {
  return { type: 'string', minLength, maxLength, ...(pattern !== undefined && { pattern: `^${pattern}$` }) };
}

function enumSchema(...values: readonly string[]): JsonObject {
  return { type: 'string', enum: values };
}

function integerSchema(format: 'int32' | 'int64', minimum: number, maximum?: number): JsonObject {
  return { type: 'integer', format, minimum, ...(maximum !== undefined && { maximum }) };
}

function objectSchema(properties: JsonObject, ...required: readonly string[]): JsonObject {
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function atomicListSchema(items: JsonObject, maxItems: number): JsonObject {
  return { type: 'array', items, maxItems, 'x-kubernetes-list-type': 'atomic' };
}

function withValidation(schema: JsonObject, rule: string, message: string): JsonObject {
  return { ...schema, 'x-kubernetes-validations': [{ rule, message }] };
}

function withDefault(value: Json, schema: JsonObject): JsonObject {
  return { ...schema, default: value };
}

const GROUP = { type: 'string', minLength: 0, maxLength: 253, pattern: `^$|^${DOMAIN}$` };
const KIND = textSchema(1, 63, '[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?');
const NAME = textSchema(1, 253);
const PORT = objectSchema({ number: integerSchema('int32', 1, 65535) }, 'number');

/** The endpoint picker, which selects the pod for a request. */
const PICKER = withValidation(
  objectSchema(
    {
      group: withDefault('', GROUP),
      kind: withDefault('Service', KIND),
      name: NAME,
      port: PORT,
      failureMode: withDefault('FailClose', enumSchema('FailOpen', 'FailClose')),
    },
    'name',
  ),
  "self.kind != 'Service' || has(self.port)",
  "port is required when kind is 'Service' or unspecified (defaults to 'Service')",
);

const LABELS = {
  type: 'object',
  additionalProperties: textSchema(0, 63, `(${LABEL_VALUE})?`),
  minProperties: 1,
  maxProperties: 64,
};

const PORTS = withValidation(
  { ...atomicListSchema(PORT, 8), minItems: 1 },
  'self.all(p1, self.exists_one(p2, p1.number==p2.number))',
  'port number must be unique',
);

const SPEC = objectSchema(
  {
    selector: objectSchema({ matchLabels: LABELS }, 'matchLabels'),
    targetPorts: PORTS,
    appProtocol: withDefault('http', enumSchema('http', 'kubernetes.io/h2c')),
    endpointPickerRef: PICKER,
  },
  'selector',
  'targetPorts',
);

/** The condition of all APIs (metav1.Condition of apimachinery). */
const CONDITION = objectSchema(
  {
    type: { type: 'string', maxLength: 316, pattern: `^(${DOMAIN}/)?(${LABEL_VALUE})$` },
    status: enumSchema('True', 'False', 'Unknown'),
    observedGeneration: integerSchema('int64', 0),
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: textSchema(1, 1024, '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'),
    message: { type: 'string', maxLength: 32768 },
  },
  'lastTransitionTime',
  'message',
  'reason',
  'status',
  'type',
);

const PARENT = objectSchema(
  {
    parentRef: objectSchema(
      {
        group: withDefault('gateway.networking.k8s.io', GROUP),
        kind: withDefault('Gateway', KIND),
        namespace: textSchema(1, 63, LABEL),
        name: NAME,
      },
      'name',
    ),
    controllerName: textSchema(1, 253, `${DOMAIN}\\/[A-Za-z0-9\\/\\-._~%!$&'()*+,;=:]+`),
    conditions: {
      type: 'array',
      items: CONDITION,
      maxItems: 8,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
  },
  'parentRef',
);

const SCHEMA = objectSchema(
  {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: SPEC,
    status: objectSchema({ parents: atomicListSchema(PARENT, 32) }),
  },
  'spec',
);

const { group, kind, version } = INFERENCE_POOL_KIND;

/**
 * The definition of InferencePool, as of 2026-08-18 in the Gateway API Inference Extension (config/crd/bases of
 * kubernetes-sigs/gateway-api-inference-extension), without descriptions.
 */
export const INFERENCE_POOL_CRD: Manifest = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${INFERENCE_POOL_PLURAL}.${group}`,
    labels: MANAGED_BY,
    // Required for API groups of k8s.io: the approval of the API.
    annotations: {
      'api-approved.kubernetes.io': 'https://github.com/kubernetes-sigs/gateway-api-inference-extension/pull/1173',
    },
  },
  spec: {
    group,
    names: {
      kind,
      listKind: `${kind}List`,
      plural: INFERENCE_POOL_PLURAL,
      singular: 'inferencepool',
      shortNames: ['infpool'],
    },
    scope: 'Namespaced',
    versions: [
      { name: version, served: true, storage: true, schema: { openAPIV3Schema: SCHEMA }, subresources: { status: {} } },
    ],
  },
};
