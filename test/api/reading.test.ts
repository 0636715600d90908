import { isFleetwrightDocument, parseResource, resourceIdOf } from '../../src/api/kinds';
import { aClass, anEndpoint } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const KINDS =
  'Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelCache, ModelDeployment, ModelService, ModelEndpoint, Grant';

const bad: Record<string, BadRow> = {
  'an unknown version of our group names the one that there is': {
    change: { apiVersion: 'fleetwright.dev/v1beta1' },
    want: ["apiVersion: fleetwright.dev has no version 'v1beta1'. Use 'fleetwright.dev/v1alpha1'."],
  },
  'an unknown version of the alias group names the one that there is': {
    change: { apiVersion: 'modelplane.ai/v1' },
    want: ["apiVersion: modelplane.ai has no version 'v1'. Use 'modelplane.ai/v1alpha1'."],
  },
  'a group without a version is no apiVersion': {
    change: { apiVersion: 'fleetwright.dev' },
    want: ["apiVersion: 'fleetwright.dev' has no version. Use 'fleetwright.dev/v1alpha1'."],
  },
  'a slip in the group names the group that was meant': {
    change: { apiVersion: 'fleetwrigth.dev/v1alpha1' },
    want: ["apiVersion: 'fleetwrigth.dev' is not an API group of Fleetwright. Use 'fleetwright.dev/v1alpha1'."],
  },
  'an apiVersion is required': {
    change: { apiVersion: undefined },
    want: ["apiVersion: the field 'apiVersion' is missing. Use fleetwright.dev/v1alpha1."],
  },
  'a kind is required': {
    change: { kind: undefined },
    want: [`kind: the field 'kind' is missing. Use one of ${KINDS}.`],
  },
  'a kind is text': {
    change: { kind: 3 },
    want: [
      'kind: expected text, got a number. Use one of Fleet, InferenceClass, InferenceCluster, InferenceGateway, ModelCache, ModelDeployment, ModelService, ModelEndpoint, Grant.',
    ],
  },
  'a slip in the kind names the kind that was meant': {
    change: { kind: 'InferenceKlass' },
    want: ["kind: unknown kind 'InferenceKlass'. Use 'InferenceClass'."],
  },
  'a kind of Kubernetes is the one with its name': {
    change: { kind: 'Deployment' },
    want: ["kind: unknown kind 'Deployment'. Did you mean 'ModelDeployment'?"],
  },
  'an unknown kind of our group is an error': {
    change: { kind: 'GPU' },
    want: [`kind: unknown kind 'GPU'. Use one of ${KINDS}.`],
  },
  'version and kind are reported together': {
    change: { apiVersion: 'fleetwright.dev/v2', kind: 'Flet' },
    want: [
      "apiVersion: fleetwright.dev has no version 'v2'. Use 'fleetwright.dev/v1alpha1'.",
      "kind: unknown kind 'Flet'. Use 'Fleet'.",
    ],
  },
  'unknown fields of a document are errors': {
    change: { specs: {}, 'metadata.label': {} },
    want: ["metadata.label: unknown field 'label'. Use 'labels'.", "specs: unknown field 'specs'. Use 'spec'."],
  },
  'metadata is required': {
    change: { metadata: undefined },
    want: ["metadata: the field 'metadata' is missing. Add it, as in 'metadata: { name: NAME }'."],
  },
  'a null field that is required is missing': {
    change: { 'spec.devices.0.driver': null },
    want: [
      "spec.devices.0.driver: the field 'driver' is missing. Add the DRA driver, also the domain of attributes without one: gpu.nvidia.com.",
    ],
  },
  'a null field that is unknown is an error': {
    change: { 'spec.devizes': null },
    want: ["spec.devizes: unknown field 'devizes'. Use 'devices'."],
  },
  'a null item of a list is an error': {
    change: { 'spec.devices.0': null },
    want: ['spec.devices.0: expected a map, got nothing. Write the item, or remove it.'],
  },
  'a map is no list': {
    change: { 'spec.devices': {} },
    want: [
      "spec.devices: expected a list, got a map. Write a list, as in '[{ name: NAME }]', or begin each item with '- '.",
    ],
  },
  'a field of the control plane of the alias group is unknown in ours': {
    change: { 'spec.crossplane': {} },
    want: [
      "spec.crossplane: unknown field 'crossplane'. Use one of description, from, provisioning, devices, counterSets, node, price.",
    ],
  },
  'a spec of the alias group that is no map is reported as it is': {
    change: { apiVersion: 'modelplane.ai/v1alpha1', spec: ['crossplane'] },
    want: [
      'spec: expected a map, got a list. Write a map with the fields description, from, provisioning, devices, counterSets, node, price.',
    ],
  },
  'a list is no map': {
    change: { spec: [] },
    want: [
      'spec: expected a map, got a list. Write a map with the fields description, from, provisioning, devices, counterSets, node, price.',
    ],
  },
};

describe('parseResource', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('InferenceClass'), change))).toEqual(want);
  });

  test.each([[], 'text', 3, null, undefined])('a document that is no map is no resource: %p', (document) => {
    expect(reported(document)).toEqual([
      "apiVersion: the field 'apiVersion' is missing. Use fleetwright.dev/v1alpha1.",
      `kind: the field 'kind' is missing. Use one of ${KINDS}.`,
    ]);
  });

  test('null fields are absent, as on a Kubernetes API server', () => {
    const change = { 'metadata.labels': null, 'spec.description': null, 'spec.devices.0.count': null };
    const result = parseResource(changed(fullDocument('InferenceClass'), change));
    const resource = 'resource' in result ? result.resource : undefined;
    expect(resource?.metadata.labels).toEqual({});
    expect(resource?.spec).toMatchObject({ devices: [{ count: 1 }, { count: 1 }] });
  });

  test('reading changes nothing in the document', () => {
    const document = changed(fullDocument('InferenceClass'), { 'metadata.labels': null });
    const before = structuredClone(document);
    parseResource(document);
    expect(document).toEqual(before);
  });

  test('what a running cluster wrote is ignored', () => {
    const written = {
      uid: '1',
      generation: 3,
      creationTimestamp: null,
      managedFields: [{}],
      finalizers: ['x'],
    };
    const document = fullDocument('InferenceClass');
    const plain = parseResource(document);
    const exported = {
      ...document,
      metadata: { ...(document['metadata'] as object), ...written },
      status: { a: 1 },
    };
    expect(parseResource(exported)).toEqual(plain);
  });

  test('what the control plane of the alias group wrote into a spec is ignored', () => {
    const alias = { apiVersion: 'modelplane.ai/v1alpha1' };
    const notes = { compositionRef: { name: 'inferenceclasses' }, resourceRefs: [] };
    const exported = changed(fullDocument('InferenceClass'), { ...alias, 'spec.crossplane': notes });
    const before = structuredClone(exported);
    expect(parseResource(exported)).toEqual(parseResource(changed(fullDocument('InferenceClass'), alias)));
    expect(reported(exported)).toEqual([]);
    expect(exported).toEqual(before);
  });

  test('a namespaced resource without a namespace is in default', () => {
    expect(anEndpoint('saas').metadata.namespace).toBe('default');
    expect(anEndpoint('ml/saas').metadata.namespace).toBe('ml');
    expect(aClass('h200').metadata).toEqual({ name: 'h200', labels: {}, annotations: {} });
  });
});

describe('isOurs', () => {
  const documents: Record<string, { document: unknown; want: boolean }> = {
    'a kind of our group': {
      document: { apiVersion: 'fleetwright.dev/v1alpha1', kind: 'Grant' },
      want: true,
    },
    'an unknown kind of our group': { document: { apiVersion: 'fleetwright.dev/v1', kind: 'X' }, want: true },
    'a kind of the alias group': {
      document: { apiVersion: 'modelplane.ai/v1alpha1', kind: 'ModelCache' },
      want: true,
    },
    'a kind of ours under the alias group': {
      document: { apiVersion: 'modelplane.ai/v1', kind: 'Fleet' },
      want: true,
    },
    'our kind and a slip in the group': {
      document: { apiVersion: 'fleetwrigt.dev/v1', kind: 'Grant' },
      want: true,
    },
    'our kind without a group': { document: { kind: 'ModelCache' }, want: true },
    'a kind that only the peer has': {
      document: { apiVersion: 'modelplane.ai/v1alpha1', kind: 'ModelReplica' },
      want: false,
    },
    'a group below the alias group': {
      document: { apiVersion: 'infrastructure.modelplane.ai/v1alpha1', kind: 'GKECluster' },
      want: false,
    },
    'a kind of ours in a group of others': {
      document: { apiVersion: 'example.com/v1', kind: 'Grant' },
      want: false,
    },
    'a core kind': { document: { apiVersion: 'v1', kind: 'Secret' }, want: false },
    'no map': { document: ['fleetwright.dev/v1alpha1'], want: false },
    nothing: { document: null, want: false },
  };
  test.each(Object.entries(documents))('%s', (_, { document, want }) => {
    expect(isFleetwrightDocument(document)).toBe(want);
  });
});

describe('resourceId', () => {
  test('is the same under both groups, with the namespace where there is one', () => {
    expect(resourceIdOf(anEndpoint('ml/saas'))).toBe('ModelEndpoint ml/saas');
    expect(resourceIdOf(anEndpoint('saas', { group: 'modelplane.ai' }))).toBe('ModelEndpoint default/saas');
    expect(resourceIdOf(aClass('h200'))).toBe('InferenceClass h200');
  });
});
