import { assemble } from '../../../src/fleet/fleet';
import { BUILT_IN_CATALOGUE } from '../../../src/fleet/hardware/hardware';
import { type Doc, parsed } from '../../api/build';

function expanded(spec: Doc) {
  return assemble([parsed('InferenceClass', 'x', spec)]).classes[0]!.spec;
}

describe('a class', () => {
  test('from a macro says nothing of a node in which its machines differ, or that one of them does not tell', () => {
    const [, h100] = expanded({ from: 'H100-8x' }).devices;
    expect(Object.keys(h100!.attributes)).toEqual(['cpuArchitecture', 'interconnect']);
    const [, l4] = expanded({ from: 'L4-1x' }).devices;
    expect(Object.keys(l4!.capacity)).toEqual(['cpu', 'memory']);
  });

  test('of a house can be made on a cloud that the class describes', () => {
    const row = {
      name: 'house/a',
      gpu: 'l40s',
      gpus: 4,
      cpu: 64,
      memoryGiB: 512,
      source: 'us',
      asOf: '2026-01-01',
    };
    const macro = {
      name: 'both',
      aliases: ['house/a', 'aws/g6e.12xlarge'],
      source: 'us',
      asOf: '2026-01-01',
    };
    const catalogue = {
      ...BUILT_IN_CATALOGUE,
      instanceTypes: new Map([...BUILT_IN_CATALOGUE.instanceTypes, ['house/a', row]]),
      macros: new Map([['both', macro]]),
    };
    const provisioning = {
      provider: 'Nebius',
      nebius: { platform: 'x', preset: 'y', accelerator: { type: 'l40s', count: 4 } },
    };
    const fleet = assemble(
      [
        parsed('InferenceClass', 'a', { from: 'house/a', provisioning }),
        parsed('InferenceClass', 'b', { from: 'both' }),
      ],
      { ...assemble([]).hardware, catalogue },
    );
    expect(fleet.hardwareFaults).toEqual([]);
    expect(fleet.classes[0]!.spec.provisioning?.provider).toBe('Nebius');
    // What one of its machines gives to pods, no one says.
    expect(fleet.classes[1]!.spec.node.allocatable).toEqual({});
  });

  test('of a house has no cloud, and of CPU and memory only what the house states', () => {
    const row = { source: 'our racks', asOf: '2026-01-01', gpu: 'l40s', gpus: 4, cpu: 64, memoryGiB: 512 };
    const instanceTypes = new Map([
      ['house/a', { ...row, name: 'house/a' }],
      ['house/b', { ...row, name: 'house/b', allocatable: { cpu: '60', memory: '480Gi' } }],
    ]);
    const hardware = { ...assemble([]).hardware, catalogue: { ...BUILT_IN_CATALOGUE, instanceTypes } };
    const fleet = assemble(
      ['house/a', 'house/b'].map((from, i) => parsed('InferenceClass', `c${i}`, { from })),
      hardware,
    );
    expect(fleet.classes.map(({ spec }) => [spec.provisioning, spec.node.allocatable])).toEqual([
      [undefined, {}],
      [undefined, { cpu: '60', memory: '480Gi' }],
    ]);
  });
});
