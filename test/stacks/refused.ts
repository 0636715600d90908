import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as pulumi from '@pulumi/pulumi';
import { FleetStack, type FleetStackArgs } from '../../stacks/index';
import { refusal } from './build';
import { record } from './record';

const root = process.cwd();

/** Every test of a file gets fleets of its own, in a working directory of its own. */
export function inFolderOfFleets(): void {
  let work: string;
  beforeEach(() => {
    // Warnings of plans are logged, and there is no engine to take them.
    jest.spyOn(console, 'warn').mockImplementation();
    work = mkdtempSync(join(tmpdir(), 'stack-'));
    cpSync('examples/existing', join(work, 'fleet'), { recursive: true });
    cpSync('examples/quickstart', join(work, 'quickstart'), { recursive: true });
    cpSync('examples/quickstart-program', join(work, 'program'), { recursive: true });
    mkdirSync(join(work, 'nothing'));
    writeFileSync(join(work, 'nothing/other.yaml'), 'apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n');
    process.chdir(work);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.chdir(root);
    rmSync(work, { recursive: true });
  });
}

/** A stack of the fleet of `examples/existing`, what differs from it, and what is said of it. */
export interface Refusal {
  /** Changes the text of a file of the fleet, or removes it. */
  change?: [file: string, from?: string, to?: string];
  copy?: [from: string, to: string];

  /** Another manifest of the fleet. */
  more?: string;
  args?: Partial<FleetStackArgs>;
  want: string[];
}

/** What such a stack needs. */
export const kubeconfigs = { berlin: 'token: abc' };
/** What is said without it. */
export const NO_KUBECONFIG =
  "no kubeconfig is set for cluster 'berlin'. Run 'pulumi config set --secret --path fleetwright:kubeconfigs.berlin < KUBECONFIG', or pass it as kubeconfigs.";

/** A cluster without pools. */
function clusterOn(group: string, source: string): string {
  return `apiVersion: ${group}/v1alpha1
kind: InferenceCluster
metadata: { name: paris }
spec: { cluster: { ${source} } }
`;
}

/** A cluster that is not made. */
export const nebius = clusterOn('fleetwright.dev', 'source: Nebius, nebius: {}');
/** A cluster of the alias group that GKE would refuse. */
export const misplaced = clusterOn('modelplane.ai', 'source: GKE, gke: { region: us-central1, zone: europe-west1-b }');

/** Makes the stack of a row, and looks at what is said and registered. */
export async function expectRefusal({ change, copy, more, args, want }: Refusal): Promise<void> {
  pulumi.runtime.setAllConfig({});
  if (change) alter(...change);
  if (copy) cpSync(...copy);
  if (more) writeFileSync('fleet/more.yaml', more);
  let said: string[] = [];
  const all = await record(() => {
    said = refusal(() => new FleetStack('models', { fleet: 'fleet', kubeconfigs, ...args }));
  });
  expect(said).toEqual(want);
  // Nothing is registered before everything is known to be sound.
  if (want.length > 0) expect(all.map(({ type }) => type)).toEqual(['pulumi:pulumi:Stack']);
  else expect(all.length).toBeGreaterThan(3);
}

function alter(file: string, from?: string, to = ''): void {
  if (from === undefined) return rmSync(file);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}
