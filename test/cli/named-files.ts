import { SMALL, type Workspace } from './cli';

/** The class of the small fleet. */
export const CLASS = SMALL.slice(0, SMALL.indexOf('---'));
/** The small fleet on EKS, with its class from the catalog. */
export const FROM_CATALOGUE = SMALL.replace(CLASS, CLASS.replace(/spec:[^]*/, 'spec:\n  from: aws/p5.48xlarge\n'))
  .replace('source: Existing', 'source: EKS')
  .replace('existing: { secretRef: { name: us } }', 'eks: { region: us-east-1 }')
  .replace('nodeCount: 2 }', 'nodeCount: 2, zones: [us-east-1a] }');

/** Settings that name a catalog and prices. */
export const SETTINGS = `apiVersion: fleetwright.dev/v1alpha1
kind: Fleet
metadata:
  name: main
spec:
  catalogue: ./data/catalogue.yaml
  prices: ./data/prices.yaml
`;

/** Writes a fleet with a catalog and prices of its own. */
export function writeFleet(
  work: Workspace,
  { catalogue = NOTHING, prices = FREE, manifests = FROM_CATALOGUE }: Files,
): void {
  work.write({
    'fleet/fleet.yaml': manifests,
    'fleet/settings.yaml': SETTINGS,
    'fleet/data/catalogue.yaml': catalogue,
    'fleet/data/prices.yaml': prices,
  });
}

interface Files {
  /** Default: nothing. */
  catalogue?: string;
  /** Default: nothing. */
  prices?: string;
  /** Default: `FROM_CATALOGUE`. */
  manifests?: string;
}

const NOTHING = 'gpus: []\n';
const FREE = 'currency: USD\n';
