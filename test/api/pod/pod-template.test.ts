import { aDeployment, aMember } from '../build';
import { fullDocument } from '../documents';
import { type BadRow, changed, reported } from '../rows';

const SPEC = 'spec.template.spec';
const ENGINE = `${SPEC}.engines.0`;
const MEMBER = `${ENGINE}.members.0`;
const CONTAINERS = `${MEMBER}.template.spec.containers`;

const bad: Record<string, BadRow> = {
  'labels of pods that we write are refused': {
    change: { [`${MEMBER}.template.metadata.labels`]: { 'modelplane.ai/x': 'y' } },
    want: [
      `${MEMBER}.template.metadata.labels.modelplane.ai/x: Fleetwright sets the label 'modelplane.ai/x'. Use another prefix.`,
    ],
  },
  'an annotation has at most 8192 characters': {
    change: { [`${MEMBER}.template.metadata.annotations`]: { a: 'y'.repeat(8193) } },
    want: [
      `${MEMBER}.template.metadata.annotations.a: a text of 8193 characters is greater than the maximum of 8192. Shorten it to at most 8192 characters.`,
    ],
  },
  'annotations are at most 32': {
    change: {
      [`${MEMBER}.template.metadata.annotations`]: Object.fromEntries(
        Array.from({ length: 33 }, (_, i) => ['a' + i, '']),
      ),
    },
    want: [
      `${MEMBER}.template.metadata.annotations: a map of 33 entries is greater than the maximum of 32. Keep at most 32 entries.`,
    ],
  },
  'a pod has a container': {
    change: { [`${CONTAINERS}`]: [] },
    want: [`${CONTAINERS}.0: item 1 of the list is missing. Add it, as in '{ name: NAME }'.`],
  },
  'the first container is called engine': {
    change: { [`${CONTAINERS}.0.name`]: 'main' },
    want: [`${CONTAINERS}.0.name: unknown value 'main'. Use 'engine'.`],
  },
  'a container has an image': {
    change: { [`${CONTAINERS}.0.image`]: undefined },
    want: [`${CONTAINERS}.0.image: the field 'image' is missing. Add the container image.`],
  },
  'an image is not empty': {
    change: { [`${CONTAINERS}.0.image`]: '' },
    want: [`${CONTAINERS}.0.image: the field 'image' is missing. Add the container image.`],
  },
  'other fields of a container are unknown': {
    change: { [`${CONTAINERS}.0.volumeMount`]: [] },
    want: [`${CONTAINERS}.0.volumeMount: unknown field 'volumeMount'. Use 'volumeMounts'.`],
  },
  'ports of an engine are known': {
    change: { [`${CONTAINERS}.0.ports`]: [] },
    want: [
      `${CONTAINERS}.0.ports: the field 'ports' is not allowed here. Remove it: the port of an engine follows from its runtime and arguments.`,
    ],
  },
  'args are a list, and the message does not show them': {
    change: { [`${CONTAINERS}.0.args`]: 'serve' },
    want: [`${CONTAINERS}.0.args: expected a list, got text. Put the value in square brackets.`],
  },
  'an argument is text': {
    change: { [`${CONTAINERS}.0.args`]: ['--port', 8000] },
    want: [`${CONTAINERS}.0.args.1: expected text, got a number. Put the value in quotes.`],
  },
  'a variable is text, and the message does not show it': {
    change: { [`${CONTAINERS}.0.env.0.value`]: 8000 },
    want: [`${CONTAINERS}.0.env.0.value: expected text, got a number. Put the value in quotes.`],
  },
  'a variable has a value or a source': {
    change: { [`${CONTAINERS}.0.env.1.value`]: 'x' },
    want: [`${CONTAINERS}.0.env.1.valueFrom: the variable has both value and valueFrom. Keep one of the two.`],
  },
  'a source is one of three': {
    change: { [`${CONTAINERS}.0.env.1.valueFrom.fieldRef`]: { fieldPath: 'x' } },
    want: [
      `${CONTAINERS}.0.env.1.valueFrom: the source of a variable has both secretKeyRef and fieldRef. Set exactly one of secretKeyRef, configMapKeyRef, fieldRef.`,
    ],
  },
  'a source names something': {
    change: { [`${CONTAINERS}.0.env.1.valueFrom`]: {} },
    want: [
      `${CONTAINERS}.0.env.1.valueFrom: the source of a variable has no value. Set exactly one of secretKeyRef, configMapKeyRef, fieldRef.`,
    ],
  },
  'variables are distinct': {
    change: { [`${CONTAINERS}.0.env.1.name`]: 'A' },
    want: [
      `${CONTAINERS}.0.env.1.name: the name 'A' is listed twice, first as item 1. Rename or remove one of the two.`,
    ],
  },
  "a variable's name has no equals sign, and the message does not show it": {
    change: { [`${CONTAINERS}.0.env.0.name`]: 'TOKEN=secret' },
    want: [
      `${CONTAINERS}.0.env.0.name: this is not a name for an environment variable. Use printable ASCII characters except '='.`,
    ],
  },
  'CPU and memory are quantities': {
    change: { [`${CONTAINERS}.0.resources`]: { requests: { cpu: '16 cores' }, limits: { memory: '80GB' } } },
    want: [
      `${CONTAINERS}.0.resources.requests.cpu: '16 cores' is not a Kubernetes quantity. Did you mean '16'?`,
      `${CONTAINERS}.0.resources.limits.memory: '80GB' is not a Kubernetes quantity. Did you mean '80Gi'?`,
    ],
  },
  'a number for CPU is finite': {
    change: { [`${CONTAINERS}.0.resources.requests.cpu`]: Infinity },
    want: [
      `${CONTAINERS}.0.resources.requests.cpu: 'Infinity' is not a Kubernetes quantity. Write a number and an optional unit without a space, as in '80Gi'.`,
    ],
  },
  'memory in quotes has a unit': {
    change: { [`${CONTAINERS}.0.resources.requests.memory`]: '22' },
    want: [`${CONTAINERS}.0.resources.requests.memory: '22' means 22 bytes. Did you mean '22Gi'?`],
  },
  'memory as a number has a unit': {
    change: { [`${CONTAINERS}.0.resources.limits.memory`]: 22 },
    want: [`${CONTAINERS}.0.resources.limits.memory: '22' means 22 bytes. Did you mean '22Gi'?`],
  },
  'thousandths of a byte are a misspelt unit': {
    change: { [`${CONTAINERS}.0.resources.limits.memory`]: '512m' },
    want: [`${CONTAINERS}.0.resources.limits.memory: '512m' means 0.512 bytes. Did you mean '512Mi'?`],
  },
  'devices are no resource of a container': {
    change: { [`${CONTAINERS}.0.resources.limits`]: { 'nvidia.com/gpu': '1' } },
    want: [
      `${CONTAINERS}.0.resources.limits.nvidia.com/gpu: the field 'nvidia.com/gpu' is not allowed here. Request devices at members[].nodeSelector.devices.`,
    ],
  },
  'a pull secret has a name': {
    change: { [`${MEMBER}.template.spec.imagePullSecrets`]: [{}] },
    want: [
      `${MEMBER}.template.spec.imagePullSecrets.0.name: the field 'name' is missing. Add the name of the Secret, in the namespace of the deployment.`,
    ],
  },
};

describe('pods of a ModelDeployment', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test('a variable may be empty', () => {
    expect(readEngine({ env: [{ name: 'A' }] })?.env).toEqual([{ name: 'A' }]);
  });

  test('CPU may be a number, which is read as its text', () => {
    expect(readEngine({ resources: { requests: { cpu: 4 }, limits: { cpu: 4.5 } } })?.resources).toEqual({
      requests: { cpu: '4' },
      limits: { cpu: '4.5' },
    });
  });
});

function readEngine(container: object) {
  const containers = [{ name: 'engine', image: 'x', ...container }];
  const engine = { name: 'main', members: [aMember({ template: { spec: { containers } } })] };
  const { members } = aDeployment('qwen3', { engines: [engine] }).spec.template.spec.engines[0]!;
  return members[0]?.template.spec.containers[0];
}
