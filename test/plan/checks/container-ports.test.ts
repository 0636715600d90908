import type { FleetwrightError } from '../../../src/base/errors';
import { refuseDuplicatePorts } from '../../../src/plan/checks/container-ports';
import { aDeployment, aMember, anEngine, byPath, type Doc } from '../../api/build';
import { fleetOf } from '../../render/build';

/** What is reported of a deployment with a helper that has these ports. */
function reported(ports: Doc[], { args = [] as string[], role = 'Standalone', where = 'containers' } = {}): string {
  const engine = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m', ...args] };
  const helper = { name: 'logs', image: 'logs:1', ports };
  const spec =
    where === 'containers'
      ? { containers: [engine, helper] }
      : { containers: [engine], initContainers: [{ ...helper, restartPolicy: 'Always' }] };
  const plain = { spec: { containers: [engine] } };
  const members =
    role === 'Standalone'
      ? [aMember({ template: { spec } })]
      : [aMember({ role: 'Leader', template: plain }), aMember({ role: 'Worker', template: { spec } })];
  const deployment = aDeployment('ml/q', { engines: [{ name: 'main', members }] });
  return refused(() => refuseDuplicatePorts(fleetOf(deployment), byPath));
}

const AT = 'ModelDeployment ml/q spec.template.spec.engines.0.members.0.template.spec';
const why = (port: number, of = "engine 'main'"): string =>
  `port ${port} is used by ${of} too. Use another port: containers of a pod share one address.`;

/** What is reported of an engine that decodes, with a helper that has this port. */
function reportedOfDecode(containerPort: number): string {
  const engine = { name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m'] };
  const helper = { name: 'logs', image: 'logs:1', ports: [{ containerPort: 9100 }, { containerPort }] };
  const members = [aMember({ template: { spec: { containers: [engine, helper] } } })];
  const engines = [anEngine('p', { phase: 'Prefill' }), anEngine('d', { phase: 'Decode', members })];
  const pair = aDeployment('ml/q', { serving: { mode: 'PrefillDecode' }, engines });
  return refused(() => refuseDuplicatePorts(fleetOf(pair), byPath));
}

/** The message of an error. Empty where there is none. */
function refused(call: () => void): string {
  try {
    call();
    return '';
  } catch (error) {
    return (error as FleetwrightError).message;
  }
}

describe('a container next to an engine', () => {
  const cases: Record<string, { got: string; want: string }> = {
    'may have other ports': { got: reported([{ containerPort: 9100 }]), want: '' },
    'may not have the port of its runtime': {
      got: reported([{ containerPort: 8000 }]),
      want: `${AT}.containers.1: ${why(8000)}`,
    },
    'may not have the port that arguments give the engine': {
      got: reported([{ containerPort: 9000 }], { args: ['--port=9000'] }),
      want: `${AT}.containers.1: ${why(9000)}`,
    },
    'may have the port that arguments take the engine from': {
      got: reported([{ containerPort: 8000 }], { args: ['--port=9000'] }),
      want: '',
    },
    'may not have it as a sidecar either': {
      got: reported([{ containerPort: 8000 }], { where: 'initContainers' }),
      want: `${AT}.initContainers.0: ${why(8000)}`,
    },
    'may not have the port of an engine behind its sidecar': {
      got: reportedOfDecode(8001),
      want: `${AT.replace('engines.0', 'engines.1')}.containers.1: ${why(8001, "engine 'd'")}`,
    },
    'may not have that of the sidecar': {
      got: reportedOfDecode(8000),
      want: `${AT.replace('engines.0', 'engines.1')}.containers.1: ${why(8000, "the proxy sidecar of engine 'd'")}`,
    },
    'may have it by another protocol': { got: reported([{ containerPort: 8000, protocol: 'UDP' }]), want: '' },
    'may have it where the engine only computes': {
      got: reported([{ containerPort: 8000 }], { role: 'Worker' }),
      want: '',
    },
  };
  test.each(Object.entries(cases))('%s', (_, { got, want }) => {
    expect(got).toBe(want);
  });
});
