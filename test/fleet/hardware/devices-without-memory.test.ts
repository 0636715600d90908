import { assemble } from '../../../src/fleet/fleet';
import { type Doc, parsed } from '../../api/build';

/** `toMatchObject` takes an empty object for any. */
const NONE = expect.not.objectContaining({ memory: expect.anything() });

const rows: Record<string, { readonly spec: Doc; readonly want: Doc }> = {
  'devices of a driver that publishes neither product nor memory have neither, but what follows from the machine': {
    spec: { from: 'aws/trn2.48xlarge' },
    want: {
      provisioning: {
        eks: { instanceType: 'trn2.48xlarge', accelerator: { type: 'trainium2', count: 16 } },
      },
      devices: [
        {
          name: 'gpu',
          driver: 'neuron.aws.com',
          deviceClassName: 'neuron.aws.com',
          extendedResource: 'aws.amazon.com/neuron',
          count: 16,
          attributes: { resourceType: { string: 'neuron_device' }, instanceType: { string: 'trn2.48xlarge' } },
          capacity: NONE,
        },
        {},
      ],
    },
  },
  'TPUs say how many of them the machine has': {
    spec: { from: 'gcp/ct6e-standard-4t' },
    want: {
      provisioning: {
        gke: { machineType: 'ct6e-standard-4t', accelerator: { type: 'tpu-v6e-slice', count: 4 } },
      },
      devices: [
        {
          driver: 'tpu.google.com',
          extendedResource: 'google.com/tpu',
          count: 4,
          attributes: {
            accelerator: { string: 'tpu-v6e-slice' },
            brand: { string: 'Google' },
            chipCount: { int: 4 },
            tpuGen: { string: 'v6e' },
          },
          capacity: NONE,
        },
        {},
      ],
    },
  },
};

test.each(Object.entries(rows))('%s', (_, { spec, want }) => {
  expect(assemble([parsed('InferenceClass', 'x', spec)]).classes[0]?.spec).toMatchObject(want);
});
