import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'cdk8s';
import { parseAllDocuments } from 'yaml';
import { addCharts } from '../../constructs/charts';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { renderCluster } from '../../src/render/cluster';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { byPath } from '../api/build';
import { richFleet } from '../kubernetes/strict/rich';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'as-meant-'));
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

test('cdk8s writes what the renderer meant, in its order, of a fleet that uses every field', () => {
  const decision = decide(assemble(richFleet()), byPath, EMPTY_LOCK);
  const app = new App({ outdir });
  const charts = addCharts(app, decision);
  app.synth();
  const { fleet, replicas, renderers } = decision;
  for (const cluster of fleet.clusters) {
    const text = readFileSync(join(outdir, `${cluster.metadata.name}.k8s.yaml`), 'utf8');
    const found = parseAllDocuments(text).map((document) => document.toJS() as unknown);
    expect(found).toEqual(renderCluster(cluster, replicas, { fleet, renderers }));
  }
  expect([...charts.keys()]).toEqual(fleet.clusters.map(({ metadata }) => metadata.name));
});
