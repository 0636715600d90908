import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aCluster, aDeployment, anEngine, byPath, type Doc, parsed, request } from '../../api/build';

const AMPERE = request('gpu', 1, 'device.attributes["gpu.nvidia.com"].architecture == "Ampere"');
const MACHINE = "such as 'from: aws/g5.xlarge' (1 x a10g, from $1.01 an hour)";

/** The engine, and the end of the hint. */
const rows: Record<string, [engine: Doc, want: string]> = {
  'one machine is enough for one device': [{}, MACHINE],
  'of several copies, it names the devices of all': [
    { copies: 4 },
    `${MACHINE}, with at least 4 devices for a replica`,
  ],
  'a scaled engine takes what its most copies take': [
    { copies: { min: 1, max: 3 }, scaling: { on: [{ prometheus: { query: 'q{$(labels)}', threshold: 1 } }] } },
    `${MACHINE}, with at least 3 devices for a replica`,
  ],
};

describe('of a machine that a class may have', () => {
  test.each(Object.entries(rows))('%s', (_, [engine, want]) => {
    const fleet = assemble([
      parsed('InferenceClass', 'h100', { from: 'aws/p5.48xlarge' }),
      aCluster('us', {
        pools: { h100: 1 },
        labels: { 'fleetwright.dev/provider': 'EKS' },
        monitoring: { prometheus: {} },
      }),
      aDeployment('ml/q', { engines: [{ ...anEngine('main', { devices: [AMPERE] }), ...engine }] }),
    ]);
    const { plan } = decide(fleet, byPath, EMPTY_LOCK);
    const found = plan.warnings.find(({ code }) => code === 'no-device');
    expect(found?.hint).toBe(`Require a value that exists, or declare a pool of a class that has it, ${want}`);
  });
});
