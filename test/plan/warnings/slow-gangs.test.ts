import { assemble } from '../../../src/fleet/fleet';
import { decide } from '../../../src/plan/decide';
import { EMPTY_LOCK } from '../../../src/scheduler/lock/lock';
import { aClass, aCluster, aDeployment, anEngine, byPath, type Doc } from '../../api/build';

interface Row {
  from?: string;
  pool?: Doc;
  cluster?: Doc;
  workers?: number;
  want: string[];
}

const EKS = { source: 'EKS', eks: { region: 'us-east-1' } };

const rows: Record<string, Row> = {
  'a gang without the fabric that its machines have is slow': {
    want: [
      "InferenceCluster us spec.nodePools.0: the nodes of a gang of ml/q on pool 'h100' reach each other without the EFA of p5.48xlarge, which slows every request",
    ],
  },
  'a pool asks for the fabric': { pool: { fabric: { type: 'EFA' } }, want: [] },
  'an engine on one node needs none': { workers: 0, want: [] },
  'machines may have none': { from: 'aws/g6.xlarge', want: [] },
  'on an existing cluster, it is what the cluster has': {
    cluster: { source: 'Existing', existing: { context: 'us' } },
    want: [],
  },
};

test.each(Object.entries(rows))(
  '%s',
  (_, { from = 'aws/p5.48xlarge', pool = {}, cluster = EKS, workers = 1, want }) => {
    const nodePools = [{ name: 'h100', className: 'h100', nodeCount: 4, zones: ['us-east-1a'], ...pool }];
    const fleet = assemble([
      aClass('h100', { from, devices: undefined }),
      aCluster('us', { cluster, nodePools }),
      aDeployment('ml/q', { engines: [anEngine('main', { gpus: 1, ...(workers > 0 && { workers }) })] }),
    ]);
    const { schedule, plan } = decide(fleet, byPath, EMPTY_LOCK);
    expect(schedule.placements).toHaveLength(1);
    const found = plan.warnings.filter(({ code }) => code === 'slow-gang');
    expect(found.map(({ at, message }) => `${at}: ${message}`)).toEqual(want);
  },
);
