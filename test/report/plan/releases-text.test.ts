import type { Resource } from '../../../src/api/kinds';
import { assemble } from '../../../src/fleet/fleet';
import { formatReleases } from '../../../src/report/plan/releases-text';
import { writeTerminal } from '../../../src/report/document/write-terminal';
import { aMember, parsed } from '../../api/build';
import { aModel } from '../../routing/build';

const TLS = { issuer: { name: 'fleet' }, caRef: { name: 'ca' } };
const existing = { cluster: { source: 'Existing', existing: { context: 'a' } } };
const onGke = { cluster: { source: 'GKE', gke: { region: 'us-central1' } } };
const pools = { nodePools: [{ name: 'p', className: 'h100', nodeCount: 1 }] };
const gateway = { gateway: { hostname: 'edge.example.com', tls: TLS } };
const QUOTE = { servingStack: { leaderWorkerSet: { values: { note: "it's" } } } };

/** The first words of each line: clusters, or the release with its version and one of its values. */
function releasesOf(...clusters: Resource[]): string[] {
  const fleet = assemble([parsed('InferenceClass', 'h100', { from: 'H100-8x' }), ...clusters]);
  return writeTerminal(formatReleases(fleet))
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
}

const cluster = (name: string, spec: Record<string, unknown>): Resource => parsed('InferenceCluster', name, spec);
const lws = expect.stringMatching(
  /^ +helm upgrade --install lws oci:\/\/registry.k8s.io\/lws\/charts\/lws --version v/,
) as string;
const nfd = expect.stringContaining('--install node-feature-discovery ') as string;
const driver = expect.stringContaining('--install dra-driver-nvidia-gpu ') as string;

const NO_GANGS = '   (lws is for gangs only: needed once a deployment has one)';
const gang = aModel('ml/z', {
  engines: [
    {
      name: 'main',
      bootstrap: 'Auto',
      members: [
        { ...aMember(), role: 'Leader' },
        { ...aMember(), role: 'Worker', worker: { nodes: 1 } },
      ],
    },
  ],
});

const rows: Record<string, { clusters: Resource[]; want: string[] }> = {
  'drivers and gangs, for all clusters with the same commands at once': {
    clusters: [cluster('a', { ...existing, ...pools }), cluster('b', { ...existing, ...pools })],
    want: [`  a, b${NO_GANGS}`, lws, nfd, driver],
  },
  'what runs gangs without a remark, where a deployment is one': {
    clusters: [cluster('a', { ...existing, ...pools }), gang],
    want: ['  a', lws, nfd, driver],
  },
  'gateways before the rest, with the extensions that routes need': {
    clusters: [cluster('a', { ...existing, ...pools, ...gateway })],
    want: [
      `  a${NO_GANGS}`,
      expect.stringContaining('--install cert-manager cert-manager --repo https://charts.jetstack.io ') as string,
      expect.stringContaining(
        `--namespace fleetwright-system --create-namespace --set-json 'config={"envoyGateway":{"extensionApis":{"enableBackend":true,"enableEnvoyPatchPolicy":true,"enableLua":true}}}'`,
      ) as string,
      lws,
      nfd,
      driver,
    ],
  },
  'values with quotes as one word of a shell': {
    clusters: [cluster('a', { ...existing, ...pools, ...QUOTE })],
    want: [`  a${NO_GANGS}`, expect.stringContaining(String.raw`--set-json 'note="it'\''s"'`) as string, nfd, driver],
  },
  'what a cluster needs that only a program creates': {
    clusters: [cluster('a', { cluster: { source: 'Custom', custom: { cloud: 'OKE' } }, ...pools })],
    want: [`  a${NO_GANGS}`, lws, nfd, driver],
  },
  'nothing for clusters that a stack creates': { clusters: [cluster('a', { ...onGke })], want: [] },
};

test.each(Object.entries(rows))('a plan lists %s', (_, { clusters, want }) => {
  expect(releasesOf(...clusters)).toEqual(want);
});
