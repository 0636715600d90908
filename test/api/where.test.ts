import { fullDocument } from './documents';
import { type BadRow, changed, reported } from './rows';

const REQUEST = 'spec.template.spec.engines.0.members.0.nodeSelector.devices.0';

const bad: Record<string, BadRow> = {
  'a where says what a device must be': {
    change: { [`${REQUEST}.where`]: {} },
    want: [
      `${REQUEST}.where: where is empty. Describe the device, as in 'where: { architecture: Hopper }', or ask for any NVIDIA GPU: 'where: { driver: gpu.nvidia.com }'.`,
    ],
  },
  'a where has names that the driver publishes': {
    change: { [`${REQUEST}.where`]: { memry: '>= 79Gi' } },
    want: [`${REQUEST}.where.memry: the driver gpu.nvidia.com publishes no 'memry'. Use 'memory'.`],
  },
  'the start of a name is suggested as the name': {
    change: { [`${REQUEST}.where`]: { mem: '>= 79Gi' } },
    want: [`${REQUEST}.where.mem: the driver gpu.nvidia.com publishes no 'mem'. Use 'memory'.`],
  },
  'the driver is part of a where': {
    change: { [`${REQUEST}.driver`]: 'gpu.amd.com' },
    want: [
      `${REQUEST}.driver: the field 'driver' is not allowed here. Move it into where, as in 'where: { driver: gpu.amd.com }'.`,
    ],
  },
  'a value of a where is a value or a list': {
    change: { [`${REQUEST}.where`]: { architecture: { is: 'Hopper' } } },
    want: [
      `${REQUEST}.where.architecture: expected a value or a list of texts, got a map. Use a value, a list or a comparison: Hopper, [Hopper, Blackwell] or '>= 79Gi'.`,
    ],
  },
  'an alternative has a where or a selector': {
    change: {
      [`${REQUEST}.count`]: undefined,
      [`${REQUEST}.selectors`]: undefined,
      [`${REQUEST}.firstAvailable`]: [{ name: 'a' }],
    },
    want: [
      `${REQUEST}.firstAvailable.0.selectors: neither 'where' nor 'selectors' is set. Describe the device, as in 'where: { architecture: Hopper }', or ask for any NVIDIA GPU: 'where: { driver: gpu.nvidia.com }'.`,
    ],
  },
  'a request has a where or alternatives': {
    change: {
      [`${REQUEST}.count`]: undefined,
      [`${REQUEST}.selectors`]: undefined,
      [`${REQUEST}.where`]: { architecture: 'Hopper' },
      [`${REQUEST}.firstAvailable`]: [{ name: 'a', where: { architecture: 'Hopper' } }],
    },
    want: [`${REQUEST}.where: the request has both where and firstAvailable. Set where in each alternative.`],
  },
};

describe('a request with a where', () => {
  test.each(Object.entries(bad))('%s', (_, { change, want }) => {
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual(want);
  });

  test.each(['selectors', 'where'])('needs no other condition than %s', (field) => {
    const only = { selectors: [{ cel: 'true' }], where: { architecture: 'Hopper' } }[field];
    const change = { [`${REQUEST}.selectors`]: undefined, [`${REQUEST}.${field}`]: only };
    expect(reported(changed(fullDocument('ModelDeployment'), change))).toEqual([]);
  });
});
