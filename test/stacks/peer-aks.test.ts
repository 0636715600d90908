import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FleetStack } from '../../stacks/index';
import { ignoreUnaskedClusters, record } from './record';

ignoreUnaskedClusters();

const work = mkdtempSync(join(tmpdir(), 'peer-aks-'));
afterAll(() => rmSync(work, { recursive: true }));

/** The documents of a file of the peer that are about AKS, unchanged. */
function documentsOf(file: string): string[] {
  const all = readFileSync(join('test/peer/manifests', file), 'utf8').split(/^---$/m);
  return all.filter((text) => /^ {2}name: aks-(h100|west-europe)$/m.test(text));
}

test('the manifests of the peer for AKS are provisioned unchanged', async () => {
  const documents = [...documentsOf('classes.yaml'), ...documentsOf('clusters.yaml')];
  expect(documents).toHaveLength(2);
  writeFileSync(join(work, 'fleet.yaml'), documents.join('---\n'));
  jest.spyOn(console, 'warn').mockImplementation();
  const all = await record(() => new FleetStack('all', { fleet: work, lockMode: 'ephemeral' }));
  const inputsOf = (type: string) => all.find((one) => one.type === `azure-native:containerservice:${type}`)?.inputs;
  expect(inputsOf('ManagedCluster')).toMatchObject({
    resourceName: 'aks-west-europe',
    location: 'westeurope',
    kubernetesVersion: '1.34',
    supportPlan: 'AKSLongTermSupport',
  });
  expect(inputsOf('AgentPool')).toMatchObject({
    agentPoolName: 'h100',
    vmSize: 'Standard_ND96isr_H100_v5',
    osDiskSizeGB: 512,
    availabilityZones: ['1'],
    minCount: 1,
    maxCount: 2,
    nodeLabels: { 'modelplane.ai/pool': 'h100' },
  });
});
