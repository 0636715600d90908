import { parseResource, type Resource } from '../../src/api/kinds';
import { aMember, type Doc } from './build';

const deployment = (spec: Doc, template: Doc = {}, engine: Doc = {}): Doc => ({
  template: { spec: { engines: [{ name: 'main', members: [aMember()], ...engine }], ...template } },
  ...spec,
});
const member = (fields: Doc): Doc => deployment({}, {}, { members: [aMember(fields)] });

const cases: Record<string, { kind: Resource['kind']; spec: Doc; want: RegExp }> = {
  'the weight of an entry in its selector': {
    kind: 'ModelService',
    spec: { endpoints: [{ selector: { weight: 60, app: 'q' } }] },
    want: /^the field 'weight' is not allowed here\. Move it up, next to 'selector'$/,
  },
  'a label with the name of a field around the selector, whose value it cannot have': {
    kind: 'ModelService',
    spec: { endpoints: [{ selector: { tier: 'frontend' } }] },
    want: /^the field 'tier' is not allowed here\. Move it into matchLabels/,
  },
  'the weight of an entry among its labels': {
    kind: 'ModelService',
    spec: { endpoints: [{ selector: { matchLabels: { weight: 60 } } }] },
    want: /got a number\. Move it up, next to 'selector'/,
  },
  'a single engine': {
    kind: 'ModelDeployment',
    spec: { template: { spec: { engine: { image: 'vllm/vllm-openai:v0.23.0' } } } },
    want: /Use 'engines', a list, at spec\.template\.spec\. Move image/,
  },
  'engines next to the spec of the template': {
    kind: 'ModelDeployment',
    spec: { template: { engines: [] } },
    want: /^the field 'engines' is not allowed here\. Move it into spec\.template\.spec$/,
  },
  'the pod of a Deployment as the template of a replica': {
    kind: 'ModelDeployment',
    spec: { template: { containers: [] } },
    want: /'containers' is not allowed here\. Move it to spec\.template\.spec\.engines\[\]\.members\[\]\.template\.spec\.containers$/,
  },
  'replicas in the template': {
    kind: 'ModelDeployment',
    spec: { template: { replicas: 2 } },
    want: /'replicas' is not allowed here\. Move it to spec\.replicas$/,
  },
  'containers next to the spec of their pods': {
    kind: 'ModelDeployment',
    spec: member({ template: { containers: [] } }),
    want: /'containers' is not allowed here\. Move it into spec\.template\.spec\.engines\[\]\.members\[\]\.template\.spec$/,
  },
  'an image next to the spec of the pods': {
    kind: 'ModelDeployment',
    spec: member({ template: { image: 'vllm/vllm-openai:v0.23.0' } }),
    want: /'image' is not allowed here\. Move it to spec\.containers\[0\], the container of the engine$/,
  },
  'an image next to its container': {
    kind: 'ModelDeployment',
    spec: member({ template: { spec: { image: 'vllm/vllm-openai:v0.23.0' } } }),
    want: /'image' is not allowed here\. Move it to containers\[0\], the container of the engine$/,
  },
};

test.each(Object.entries(cases))('%s: the message says where it belongs', (_, { kind, spec, want }) => {
  expect(findingsOf(kind, spec).map(({ message, hint }) => `${message}. ${hint}`)).toContainEqual(
    expect.stringMatching(want),
  );
});

function findingsOf(kind: Resource['kind'], spec: Doc) {
  const metadata = { name: 'q', namespace: 'ml' };
  const parsed = parseResource({ apiVersion: 'fleetwright.dev/v1alpha1', kind, metadata, spec });
  return 'findings' in parsed ? parsed.findings : [];
}

const elsewhere: Record<string, { spec: Doc; want: string[] }> = {
  'engines that stand a level too high are not missing': {
    spec: { replicas: 1, engines: [] },
    want: ["spec.engines: the field 'engines' is not allowed here"],
  },
  'engines are not missing where containers stand in their place': {
    spec: { replicas: 1, template: { spec: { containers: [] } } },
    want: ["spec.template.spec.containers: the field 'containers' is not allowed here"],
  },
  'devices that stand a level too high are not missing': {
    spec: { replicas: 1, ...deployment({}, {}, { members: [{ ...aMember(), nodeSelector: undefined, devices: [] }] }) },
    want: ["spec.template.spec.engines.0.members.0.devices: the field 'devices' is not allowed here"],
  },
  'replicas that stand a level too low are not missing': {
    spec: { template: { ...(deployment({})['template'] as Doc), replicas: 2 } },
    want: ["spec.template.replicas: the field 'replicas' is not allowed here"],
  },
};

test.each(Object.entries(elsewhere))('%s', (_, { spec, want }) => {
  expect(findingsOf('ModelDeployment', spec).map(({ at, message }) => `${at.join('.')}: ${message}`)).toEqual(want);
});
