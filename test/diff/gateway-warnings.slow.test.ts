import type { Resource } from '../../src/api/kinds';
import { findChangeWarnings } from '../../src/diff/change-warnings';
import { findGateFindings } from '../../src/diff/gate-findings';
import { formatGateFinding } from '../../src/report/diff/gate-text';
import { aClass, byPath, type Doc, MACHINES } from '../api/build';
import { aDoor, aModel, aSite, aSplit, to } from '../routing/build';
import { diff, state } from './build';

const H100 = aClass('h100', { provisioning: { provider: 'GKE', gke: MACHINES.GKE.gke } });
const site = (name: string, region = 'us-central1', options: Doc = {}) =>
  aSite(name, {
    source: 'GKE',
    cluster: { source: 'GKE', gke: { region } },
    pools: { h100: { nodeCount: 4, zones: [`${region}-a`] } },
    ...options,
  });
const door = (...clusters: string[]) =>
  aDoor(clusters, { hostname: 'llm.example.com', public: false, tls: { issuer: { name: 'fleet' } } });
const zoned = (dns: Doc) => ({ gateway: { hostname: 'edge.eu.example.com', dns: { zone: 'example.com', ...dns } } });
const lost = (name: string) => site(name, undefined, { taints: [{ key: 'lost', effect: 'NoExecute' }] });
const NO_WAIT =
  'the ingress gateway llm.example.com of eu is removed: eu is lost, so clients that DNS sends there already get no answer. Take the address of eu out of DNS now. You need not wait for that before you apply this';
const WRITTEN = zoned({ provider: 'CloudDNS', id: 'example' });
const named = (name: string, hostname: string, ...clusters: string[]) => {
  const gateway = aDoor(clusters, { hostname, tls: { issuer: { name: 'fleet' } } });
  return { ...gateway, metadata: { ...gateway.metadata, name } };
};
const AWS = aClass('p5', { provisioning: MACHINES.EKS });
const onAws = aSite('aws', {
  source: 'EKS',
  cluster: { source: 'EKS', eks: { region: 'us-east-1' } },
  pools: { p5: { nodeCount: 1, zones: ['us-east-1a'] } },
});
const keyed = (spec: Doc) =>
  aDoor(['us'], {
    hostname: 'llm.example.com',
    tls: { issuer: { name: 'fleet' } },
    auth: { apiKeys: [{ name: 'alice', secretRef: { name: 'key' } }] },
    ...spec,
  });
const open = (...clusters: string[]) =>
  aDoor(clusters, { hostname: 'llm.example.com', public: 'insecure', tls: { issuer: { name: 'fleet' } } });
const model = aModel('ml/a', { replicas: 2, replicaLabels: { app: 'a' } });
const service = aSplit('ml/chat', [to({ app: 'a' })]);
const renamed = (name: string) => site(name, 'us-central1', { gateway: { hostname: `gw.${name}.example.com` } });

interface Case {
  readonly before: Resource[];
  readonly after: Resource[];
  readonly warnings?: string[];
  readonly refused?: string[];
  readonly accept?: boolean;
}

const cases: Record<string, Case> = {
  'a replaced cluster takes its ingress gateway, and others that serve the host are named': {
    before: [site('eu'), site('us'), door('eu', 'us')],
    after: [site('eu', 'europe-west4'), site('us'), door('eu', 'us')],
    warnings: [
      'the ingress gateway llm.example.com of eu is gone until the new cluster serves. Take the address of eu out of DNS first; us answers the same host. Add the new address when the new cluster serves',
      'the cluster gateway edge.eu.example.com of eu gets a new address: requests from us do not reach it while DNS returns the old one. Set the new address in DNS when the new cluster has it',
    ],
  },
  'the gate refuses that the only gateway of a service is replaced': {
    before: [site('eu'), site('us'), door('eu')],
    after: [site('eu', 'europe-west4'), site('us'), door('eu')],
    warnings: [
      expect.stringContaining('gone until the new cluster serves. Declare the new cluster next to the old one'),
    ],
    refused: [
      'ModelService ml/chat has no ingress gateway until eu serves again. Declare the new cluster next to the old one, and remove the old one when the new one serves; or to accept downtime in this change, add --accept-removals to plan --gate',
    ],
  },
  'that downtime can be accepted': {
    before: [site('eu'), site('us'), door('eu')],
    after: [site('eu', 'europe-west4'), site('us'), door('eu')],
    warnings: [expect.stringContaining('is gone until')],
    accept: true,
  },
  'a replaced cluster without an ingress gateway takes none, and its cluster gateway has another address': {
    before: [site('eu'), site('us'), door('us')],
    after: [site('eu', 'europe-west4'), site('us'), door('us')],
    warnings: [expect.stringContaining('the cluster gateway edge.eu.example.com of eu gets a new address')],
  },
  'a stack writes the new address of a cluster gateway where the provider of the zone is declared': {
    before: [site('eu', 'us-central1', WRITTEN), site('us'), door('us')],
    after: [site('eu', 'europe-west4', WRITTEN), site('us'), door('us')],
  },
  'nothing writes the new address of a cluster gateway where only the zone is declared': {
    before: [site('eu', 'us-central1', zoned({})), site('us'), door('us')],
    after: [site('eu', 'europe-west4', zoned({})), site('us'), door('us')],
    warnings: [expect.stringContaining('the cluster gateway edge.eu.example.com of eu gets a new address')],
  },
  'a host that another gateway of the same cluster answers has another address': {
    before: [site('us'), named('public', 'old.example.com', 'us')],
    after: [site('us'), named('public', 'new.example.com', 'us'), named('second', 'old.example.com', 'us')],
    warnings: [
      "old.example.com moves from the ingress gateway public on us to the ingress gateway second on us, which has another address: requests get no answer while DNS returns the old one. Keep 'hostname: old.example.com' on InferenceGateway public, and give the other host to the new gateway. Otherwise: change the DNS record of old.example.com when the new gateway has its address",
    ],
  },
  'a host that stays where it is moves nothing when a second gateway gets the new one': {
    before: [site('us'), named('public', 'old.example.com', 'us')],
    after: [site('us'), named('public', 'old.example.com', 'us'), named('second', 'new.example.com', 'us')],
  },
  'a renamed cluster has its cluster gateway at another address': {
    before: [site('eu', 'us-central1', zoned({})), site('us'), door('us')],
    after: [site('az', 'us-central1', zoned({})), site('us'), door('us')],
    warnings: [
      'edge.eu.example.com moves from the cluster gateway of eu to the cluster gateway of az, which has another address: requests get no answer while DNS returns the old one. Change the DNS record of edge.eu.example.com when the new gateway has its address',
    ],
  },
  'a stack changes the record of a renamed cluster, and its TTL remains': {
    before: [site('eu', 'us-central1', WRITTEN), site('us'), door('us')],
    after: [site('az', 'us-central1', WRITTEN), site('us'), door('us')],
    warnings: [expect.stringMatching(/\. A stack changes the record; wait for its TTL$/)],
  },
  'a removed ingress gateway has clients while DNS leads to it': {
    before: [site('eu'), site('us'), door('eu', 'us')],
    after: [site('eu'), site('us'), door('us')],
    warnings: [
      'the ingress gateway llm.example.com of eu is removed: clients get no answer while DNS sends them there. Before you apply this, take the address of eu out of DNS, and wait for the TTL of the record',
    ],
  },
  'a removed ingress gateway of a lost cluster has no client to wait for': {
    before: [site('eu'), site('us'), door('eu', 'us')],
    after: [lost('eu'), site('us'), door('us')],
    warnings: [NO_WAIT],
  },
  'a lost cluster that is removed with its ingress gateway has no client to wait for': {
    before: [lost('eu'), site('us'), door('eu', 'us')],
    after: [site('us'), door('us')],
    warnings: [NO_WAIT],
  },
  'a removed ingress gateway of a cluster that is lost no longer has clients again': {
    before: [lost('eu'), site('us'), door('eu', 'us')],
    after: [site('eu'), site('us'), door('us')],
    warnings: [expect.stringContaining('clients get no answer while DNS sends them there. Before you apply this, ')],
  },
  'another host of a cluster gateway is not what other clusters verify yet': {
    before: [site('eu'), site('us'), door('eu')],
    after: [site('eu'), renamed('us'), door('eu')],
    warnings: [
      'the cluster gateway of us is gw.us.example.com instead of edge.us.example.com: requests from eu to it may fail until both sides are applied. Apply the clusters right after each other, at a time of few requests',
    ],
  },
  'a gateway that the internet reaches now is an exposure': {
    before: [site('us'), door('us')],
    after: [site('us'), open('us')],
    warnings: [
      "llm.example.com becomes reachable from the internet; anyone can use ml/chat without a key. Set 'auth' of InferenceGateway default or of these services. The address of its load balancer changes on us: change the DNS record of llm.example.com, or its clients get no answer. If only clients in your own networks use it, leave out 'public'",
    ],
  },
  'a gateway that the internet reaches now keeps what its clients need, and a stack changes its record': {
    before: [site('us'), keyed({ public: false })],
    after: [site('us'), keyed({ public: true, dns: { zone: 'example.com', provider: 'CloudDNS', id: 'example' } })],
    warnings: [
      "llm.example.com becomes reachable from the internet; its clients need an API key. The address of its load balancer changes on us: a stack changes the DNS record; wait for its TTL. If only clients in your own networks use it, leave out 'public'",
    ],
  },
  'a load balancer of AWS stays internal until its Service is deleted': {
    before: [AWS, onAws, site('us'), door('aws', 'us')],
    after: [AWS, onAws, site('us'), open('aws', 'us')],
    warnings: [
      expect.stringMatching(
        /AWS does not change the load balancer on aws while its Service exists: delete the Service fleetwright-system\/front-\S+ there right before you apply this\. The address of its load balancer changes on aws and us: /,
      ),
    ],
  },
  'a load balancer of AWS stays reachable from the internet until its Service is deleted': {
    before: [AWS, onAws, site('us'), open('aws', 'us')],
    after: [AWS, onAws, site('us'), door('aws', 'us')],
    refused: [
      expect.stringContaining(
        'add --accept-removals to plan --gate. AWS does not change the load balancer on aws while its Service exists: ',
      ),
    ],
  },
  'the gate refuses that the internet no longer reaches a gateway, like an address that is gone': {
    before: [site('us'), open('us')],
    after: [site('us'), door('us')],
    refused: [
      "llm.example.com is no longer reachable from the internet: clients of ml/chat there get no answer any more. Keep 'public' until no client on the internet requests it; if no client does, add --accept-removals to plan --gate",
    ],
  },
  'that the internet no longer reaches a gateway can be accepted': {
    before: [site('us'), open('us')],
    after: [site('us'), door('us')],
    accept: true,
  },
  'another host of a cluster gateway to which no other cluster sends requests fails none': {
    before: [site('eu'), site('us'), door('eu')],
    after: [renamed('eu'), site('us'), door('eu')],
  },
};

test.each(Object.entries(cases))('%s', (_, { before, after, warnings = [], refused = [], accept = false }) => {
  const [was, is] = [before, after].map((own) => [H100, model, service, ...own]);
  const earlier = state('main', was ?? []);
  const later = state('here', is ?? [], earlier.decision.lock, earlier);
  const change = diff(was ?? [], is ?? []);
  const states = { before: earlier.decision, after: later.decision };
  const found = findChangeWarnings(change, { ...states, mustExist: [], at: 'fleet' });
  const own = found.filter(({ code }) => code === 'gateway-down' || code === 'access-opened');
  expect(own.map(({ message, hint }) => `${message}. ${hint}`)).toEqual(warnings);
  for (const { at } of own)
    expect(at).toMatch(
      /^(InferenceCluster (eu|us) spec\.(cluster|gateway)|InferenceCluster az|InferenceGateway (default|public) spec\.(clusters|public|hostname))/,
    );
  const findings = findGateFindings(change, { ...states, applied: 'withWaves', acceptRemovals: accept });
  const located = { fleet: later.decision.fleet, locate: byPath };
  const texts = findings
    .filter(({ kind }) => kind.startsWith('gateway-'))
    .map((one) => formatGateFinding(one, located));
  expect(texts).toEqual(refused);
});
