import { aDeployment, aMember, type Doc } from './build';
import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const SPEC = 'spec.template.spec';
const ENGINE = `${SPEC}.engines.0`;
const MEMBER = `${ENGINE}.members.0`;
const REQUEST = `${MEMBER}.nodeSelector.devices.0`;

/** Members with these roles, each of which asks for a device. */
function members(...roles: string[]): Doc[] {
  return roles.map((role) => aMember({ role }));
}

const bad: Record<string, BadRow> = {
  'labels of nodes select nothing, and the devices that they leave out are no second problem': {
    change: { [`${MEMBER}.nodeSelector`]: { gpu: 'h100' } },
    want: [
      `${MEMBER}.nodeSelector.gpu: the field 'gpu' is not allowed here. Describe devices instead of labels of nodes, as in 'devices: [{ name: gpu, where: { architecture: Hopper } }]'. To choose nodes, declare a pool of those nodes.`,
    ],
  },
  'a misspelled field of a node selector is no label': {
    change: { [`${MEMBER}.nodeSelector`]: { device: [] } },
    want: [`${MEMBER}.nodeSelector.device: unknown field 'device'. Use 'devices'.`],
  },
  'devices as limits of Kubernetes are a list': {
    change: { [`${MEMBER}.nodeSelector.devices`]: { 'nvidia.com/gpu': 4 } },
    want: [
      `${MEMBER}.nodeSelector.devices: expected a list, got a map. Write a list, as in '[{ name: gpu, count: 4, where: { architecture: Hopper } }]'.`,
    ],
  },
  'members without devices are no second problem next to a misspelt node selector': {
    change: { [`${MEMBER}.nodeSelector`]: undefined, [`${MEMBER}.nodeSelektor`]: { devices: [] } },
    want: [`${MEMBER}.nodeSelektor: unknown field 'nodeSelektor'. Use 'nodeSelector'.`],
  },
  'the rest of a number with commas is no field': {
    change: { 'spec.template.spec.engines.0.members.0.000': null },
    want: [
      `${MEMBER}.000: '000' behind a comma is a field of its own. Write the number without separators, as in 90000.`,
    ],
  },
  'CEL is a text': {
    change: { [`${REQUEST}.where`]: undefined, [`${REQUEST}.selectors`]: [{ cel: { expression: 'true' } }] },
    want: [
      `${REQUEST}.selectors.0.cel: expected text, got a map. Write the expression itself, as in 'selectors: [{ cel: EXPRESSION }]'.`,
    ],
  },
  'arguments in one text are a list': {
    change: { [`${MEMBER}.template.spec.containers.0.args`]: '--a --b' },
    want: [
      `${MEMBER}.template.spec.containers.0.args: expected a list, got text. Put its items in square brackets, with commas between them.`,
    ],
  },
  'one argument is a list too': {
    change: { [`${MEMBER}.template.spec.containers.0.args`]: '--a' },
    want: [`${MEMBER}.template.spec.containers.0.args: expected a list, got text. Put the value in square brackets.`],
  },
  'a list of one item is called a list': {
    change: { [`${MEMBER}.template.spec.containers`]: 'vllm' },
    want: [`${MEMBER}.template.spec.containers: expected a list, got text. Put the value in square brackets.`],
  },
  'the one container of a pod begins an item': {
    change: { [`${MEMBER}.template.spec.containers`]: { name: 'engine', image: 'vllm' } },
    want: [
      `${MEMBER}.template.spec.containers: expected a list, got a map. Begin the map with '- ', as an item of a list.`,
    ],
  },
  'phases need the mode': {
    change: { [`${SPEC}.serving`]: undefined },
    want: [
      `${ENGINE}.phase: serving mode Unified takes no field 'phase'. Remove it, or set 'serving.mode: PrefillDecode'.`,
      `${SPEC}.engines.1.phase: serving mode Unified takes no field 'phase'. Remove it, or set 'serving.mode: PrefillDecode'.`,
    ],
  },
  'the mode needs both phases': {
    change: { [`${SPEC}.engines.1.phase`]: undefined },
    want: [
      `${SPEC}.engines: serving mode PrefillDecode needs two engines, one with phase Prefill and one with phase Decode. Set 'phase' on each of the two.`,
    ],
  },
  'the mode needs each phase once': {
    change: { [`${SPEC}.engines.1.phase`]: 'Prefill' },
    want: [
      `${SPEC}.engines: serving mode PrefillDecode needs two engines, one with phase Prefill and one with phase Decode. Set 'phase' on each of the two.`,
    ],
  },
  'the mode needs exactly two engines': {
    change: { [`${SPEC}.engines.2`]: { name: 'third', members: members('Standalone') } },
    want: [
      `${SPEC}.engines: serving mode PrefillDecode needs two engines, one with phase Prefill and one with phase Decode. Set 'phase' on each of the two.`,
    ],
  },
  'a pod alone needs no bootstrap': {
    change: { [`${ENGINE}.bootstrap`]: 'Auto' },
    want: [
      `${ENGINE}.bootstrap: an engine of one pod needs no bootstrap. Remove 'bootstrap', or declare a Leader and a Worker.`,
    ],
  },
  'a runtime is one that we know': {
    change: { [`${ENGINE}.runtime`]: 'vllm' },
    want: [expect.stringContaining(`${ENGINE}.runtime: `) as unknown as string],
  },
  'a budget is a duration': {
    change: { [`${ENGINE}.startup`]: { budget: '30 min' } },
    want: [
      `${ENGINE}.startup.budget: '30 min' is not a duration. Write hours, minutes and seconds, as in '90s', '30m' or '1h30m'.`,
    ],
  },
  'a duration is not empty': {
    change: { [`${ENGINE}.drain`]: { grace: '' } },
    want: [
      `${ENGINE}.drain.grace: '' is not a duration. Write hours, minutes and seconds, as in '90s', '30m' or '1h30m'.`,
    ],
  },
  'a path to check begins with a slash': {
    change: { [`${SPEC}.healthCheck`]: { path: 'health' } },
    want: [`${SPEC}.healthCheck.path: 'health' is not a path. Start with '/', as in '/health'.`],
  },
  'a deployment has an engine': {
    change: { [`${SPEC}.engines`]: [] },
    want: [
      `${SPEC}.engines: the deployment has no engines. Write 'engines', or 'spec.model', from which engines are derived.`,
    ],
  },
  'a deployment has at most 16 engines': {
    change: {
      [`${SPEC}.serving`]: undefined,
      [`${SPEC}.engines`]: Array.from({ length: 17 }, (_, i) => ({
        name: 'e' + i,
        members: members('Standalone'),
      })),
    },
    want: [`${SPEC}.engines: a list of 17 items is greater than the maximum of 16. List at most 16 items.`],
  },
  'an engine name is a DNS label': {
    change: { [`${ENGINE}.name`]: 'a.b' },
    want: [
      `${ENGINE}.name: 'a.b' is not a DNS label. Use lowercase letters, digits and '-', with a letter or digit at both ends.`,
    ],
  },
  'engine names are distinct': {
    change: { [`${SPEC}.engines.1.name`]: 'prefill' },
    want: [
      `${SPEC}.engines.1.name: the name 'prefill' is listed twice, first as item 1. Rename or remove one of the two.`,
    ],
  },
  'copies of 0 are an error': {
    change: { [`${ENGINE}.copies`]: 0 },
    want: [`${ENGINE}.copies: 0 is less than the minimum of 1. Use at least 1.`],
  },
  'copies are at most 64': {
    change: { [`${ENGINE}.copies`]: 65 },
    want: [`${ENGINE}.copies: 65 is greater than the maximum of 64. Use at most 64.`],
  },
  'an engine has members': {
    change: { [`${ENGINE}.members`]: [] },
    want: [`${ENGINE}.members: the engine has no members. Add at least one.`],
  },
  'an engine has at most two members': {
    change: { [`${ENGINE}.members`]: members('Leader', 'Worker', 'Worker') },
    want: [`${ENGINE}.members: a list of 3 items is greater than the maximum of 2. List at most 2 items.`],
  },
  'a leader needs a worker': {
    change: { [`${ENGINE}.members`]: members('Leader') },
    want: [
      `${ENGINE}.members: a Leader alone does not form an engine. Use one Standalone member, or one Leader and one Worker.`,
    ],
  },
  'a worker needs a leader': {
    change: { [`${ENGINE}.members`]: members('Worker') },
    want: [
      `${ENGINE}.members: a Worker alone does not form an engine. Use one Standalone member, or one Leader and one Worker.`,
    ],
  },
  'an engine has one leader': {
    change: { [`${ENGINE}.members`]: members('Leader', 'Leader') },
    want: [
      `${ENGINE}.members: members with the roles Leader, Leader do not form an engine. Use one Standalone member, or one Leader and one Worker.`,
    ],
  },
  'a pod alone has no workers': {
    change: { [`${ENGINE}.members`]: members('Standalone', 'Worker') },
    want: [
      `${ENGINE}.members: members with the roles Standalone, Worker do not form an engine. Use one Standalone member, or one Leader and one Worker.`,
    ],
  },
  'only a worker counts its nodes': {
    change: { [`${MEMBER}.worker`]: { nodes: 2 } },
    want: [
      `${MEMBER}.worker: a member with role Standalone takes no field 'worker'. Remove it, or set 'role: Worker'.`,
    ],
  },
  'workers of 0 nodes are an error': {
    change: { [`${SPEC}.engines.1.members.1.worker.nodes`]: 0 },
    want: [`${SPEC}.engines.1.members.1.worker.nodes: 0 is less than the minimum of 1. Use at least 1.`],
  },
  'workers are on at most 63 nodes': {
    change: { [`${SPEC}.engines.1.members.1.worker.nodes`]: 64 },
    want: [`${SPEC}.engines.1.members.1.worker.nodes: 64 is greater than the maximum of 63. Use at most 63.`],
  },
  'some member asks for devices': {
    change: { [`${MEMBER}.nodeSelector`]: undefined },
    want: [
      `${ENGINE}.members: no member of the engine has a nodeSelector. Request devices at nodeSelector of at least one member, as in 'nodeSelector: { devices: [{ name: gpu, where: { architecture: Hopper } }] }'.`,
    ],
  },
  'a member that selects asks for devices': {
    change: { [`${MEMBER}.nodeSelector.devices`]: [] },
    want: [`${MEMBER}.nodeSelector.devices: a list of 0 items is less than the minimum of 1. List at least 1 item.`],
  },
  'a member has at most 16 requests': {
    change: {
      [`${MEMBER}.nodeSelector.devices`]: Array.from({ length: 17 }, (_, i) => ({
        name: 'r' + i,
        selectors: [{ cel: 'true' }],
      })),
    },
    want: [
      `${MEMBER}.nodeSelector.devices: a list of 17 items is greater than the maximum of 16. List at most 16 items.`,
    ],
  },
  'a request has a selector': {
    change: { [`${REQUEST}.selectors`]: [] },
    want: [
      `${REQUEST}.selectors: neither 'where' nor 'selectors' is set. Describe the device, as in 'where: { architecture: Hopper }', or ask for any NVIDIA GPU: 'where: { driver: gpu.nvidia.com }'.`,
    ],
  },
  'a request has at most 8 selectors': {
    change: { [`${REQUEST}.selectors`]: Array.from({ length: 9 }, () => ({ cel: 'true' })) },
    want: [`${REQUEST}.selectors: a list of 9 items is greater than the maximum of 8. List at most 8 items.`],
  },
  'a selector is an expression': {
    change: { [`${REQUEST}.selectors.0`]: {} },
    want: [
      `${REQUEST}.selectors.0.cel: the field 'cel' is missing. Add a CEL expression over one device, as in a DeviceClass.`,
    ],
  },
  'an expression is not empty': {
    change: { [`${REQUEST}.selectors.0.cel`]: '' },
    want: [
      `${REQUEST}.selectors.0.cel: an empty text is less than the minimum of 1. Write a text, or remove the field.`,
    ],
  },
  'an expression has at most 10240 characters': {
    change: { [`${REQUEST}.selectors.0.cel`]: 'x'.repeat(10241) },
    want: [
      `${REQUEST}.selectors.0.cel: a text of 10241 characters is greater than the maximum of 10240. Shorten it to at most 10,240 characters.`,
    ],
  },
  'a request for 0 devices is an error': {
    change: { [`${REQUEST}.count`]: 0 },
    want: [`${REQUEST}.count: 0 is less than the minimum of 1. Use at least 1.`],
  },
  'a request is for at most 64 devices': {
    change: { [`${REQUEST}.count`]: 65 },
    want: [
      `${REQUEST}.count: 65 is greater than the maximum of 64. Use at most 64.`,
      `${MEMBER}.nodeSelector.devices: a claim of 65 devices is greater than the maximum of 32. Request fewer devices for each pod.`,
    ],
  },
  'a pod claims at most 32 devices': {
    change: { [`${REQUEST}.count`]: 33 },
    want: [
      `${MEMBER}.nodeSelector.devices: a claim of 33 devices is greater than the maximum of 32. Request fewer devices for each pod.`,
    ],
  },
  'a request name is a DNS label': {
    change: { [`${REQUEST}.name`]: 'GPU' },
    want: [`${REQUEST}.name: 'GPU' is not a DNS label. Use 'gpu'.`],
  },
  'request names are distinct': {
    change: { [`${MEMBER}.nodeSelector.devices.1`]: { name: 'gpu', selectors: [{ cel: 'true' }] } },
    want: [
      `${MEMBER}.nodeSelector.devices.1.name: the name 'gpu' is listed twice, first as item 1. Rename or remove one of the two.`,
    ],
  },
};

describe('engines of a ModelDeployment', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test('a gang has one worker by default, and its leader may claim nothing', () => {
    const leader = aMember({ role: 'Leader', gpus: 0 });
    const worker = aMember({ role: 'Worker', worker: {} });
    const { engines } = aDeployment('qwen3', { engines: [{ name: 'main', members: [leader, worker] }] }).spec.template
      .spec;
    expect(engines[0]?.members.map((member) => member.worker?.nodes)).toEqual([undefined, 1]);
  });
});
