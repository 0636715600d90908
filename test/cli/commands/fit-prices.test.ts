import { SMALL, Workspace } from '../cli';

const work = new Workspace();

/** A cluster of AWS in a region, with nodes that only us-east-1 has a known price of. */
const eks = (name: string, region: string) => `---
apiVersion: fleetwright.dev/v1alpha1
kind: InferenceCluster
metadata:
  name: ${name}
  labels: { fleetwright.dev/provider: EKS, topology.kubernetes.io/region: ${region} }
spec:
  cluster: { source: Existing, existing: { secretRef: { name: ${name} } } }
  nodePools: [{ name: p5, className: p5, nodeCount: 1 }]
`;
const P5 = `apiVersion: fleetwright.dev/v1alpha1
kind: InferenceClass
metadata: { name: p5 }
spec: { from: aws/p5.48xlarge }
`;

const cases: Record<string, { fleet: string; want: string[] }> = {
  'names a class of the fleet without a price, whatever its name is': {
    fleet: SMALL,
    want: ["The price of class h100 is unknown: set its 'price.perHour'."],
  },
  'asks for the price of the region in which it is unknown, where another region has one': {
    fleet: `${P5}${eks('us', 'us-east-1')}${eks('eu', 'eu-west-1')}`,
    want: [
      "The price of class p5 on eu is unknown: state it for its region in the file of 'prices' of the Fleet. 'price.perHour' of the class would be the price on all clusters.",
    ],
  },
  'asks for the prices of all regions in which it is unknown': {
    fleet: `${P5}${eks('us', 'us-east-1')}${eks('eu', 'eu-west-1')}${eks('ca', 'ca-west-1')}`,
    want: [
      "The price of class p5 on ca, eu is unknown: state it for their regions in the file of 'prices' of the Fleet. 'price.perHour' of the class would be the price on all clusters.",
    ],
  },
};

describe('fit', () => {
  test.each(Object.entries(cases))('%s', (_, { fleet, want }) => {
    work.write({ 'fleet/fleet.yaml': fleet });
    const { out } = work.run('fit Qwen/Qwen3-8B ./fleet');
    expect(out.split('\n').filter((line) => line.startsWith('The price'))).toEqual(want);
    expect(out).not.toContain('--gpu');
  });
});
