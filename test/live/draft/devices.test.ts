import { node, slice } from '../../snapshot/build';
import type { Json } from '../doctor/build';
import { drafted, H100, h100, type Options } from './build';

const { type, productName, cudaComputeCapability } = H100.attributes;

/** What is left where one device has another architecture. */
const ALIKE = { type, productName, cudaComputeCapability };

function devicesOf(options: Options): unknown {
  const [first = {}] = drafted(options).documents;
  return (first['spec'] as Json)['devices'];
}

const devices: Record<string, { of: Options; want: object[]; notes?: string[] }> = {
  'the least of what devices have is declared, and what they have alike': {
    of: {
      slices: [
        h100('n0'),
        slice('n1', {
          count: 7,
          device: {
            attributes: { ...H100.attributes, architecture: { string: 'Other' } },
            capacity: { memory: { value: '80Gi' } },
          },
        }),
      ],
    },
    want: [{ count: 7, capacity: { memory: { value: '81559Mi' } }, attributes: ALIKE }],
    notes: ["pool h100: nodes have 7 to 8 devices 'gpu'; the smallest number is declared"],
  },
  'devices of two drivers are two entries': {
    of: {
      slices: ['n0', 'n1'].flatMap((name) => [
        h100(name),
        slice(name, {
          name: `${name}-nic`,
          count: 4,
          device: { attributes: {}, capacity: {} },
          spec: { driver: 'dra.net' },
        }),
      ]),
      deviceClasses: [
        { metadata: { name: 'gpu.nvidia.com' } },
        {
          metadata: { name: 'nics' },
          spec: { selectors: [{ cel: { expression: 'device.driver == "dra.net"' } }] },
        },
      ],
    },
    want: [
      { name: 'dra', driver: 'dra.net', deviceClassName: 'nics', count: 4 },
      { name: 'gpu', count: 8 },
    ],
    notes: ["class of 'dra': nics is a guess. It must select devices of dra.net"],
  },
  'partitions are left out': {
    of: {
      slices: ['n0', 'n1'].flatMap((name) => [
        h100(name),
        slice(name, {
          name: `${name}-mig`,
          pool: { name: `${name}-mig` },
          count: 2,
          device: { attributes: { type: { string: 'mig' } } },
        }),
      ]),
    },
    want: [{ name: 'gpu', count: 8 }],
    notes: ['pool h100: 4 partitions of devices left out: they are parts of whole devices'],
  },
};

test.each(Object.entries(devices))('%s', (_, { of, want, notes = [] }) => {
  expect(devicesOf(of)).toEqual(want.map((one) => expect.objectContaining(one)));
  for (const note of notes) expect(drafted(of).notes).toContain(note);
});

test('CPU and memory are the least that nodes give to pods', () => {
  const { documents } = drafted({ nodes: [sized('n0', '96'), sized('n1', '95500m')] });
  expect(documents[0]).toMatchObject({ spec: { node: { allocatable: { cpu: '95500m', memory: '100Gi' } } } });
});

test('a cluster whose nodes publish nothing cannot be drafted', () => {
  expect(drafted({ slices: [] }).why).toBe('no node publishes devices');
});

function sized(name: string, cpu: string): Json {
  return node(name, { status: { allocatable: { cpu, memory: '100Gi', pods: '250' } } });
}
