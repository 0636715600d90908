import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import { ConfigMap } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import type { Renderer } from 'fleetwright';
import { parseAllDocuments } from 'yaml';
import { Fleet, InferenceCluster } from '../../constructs/index';
import { cluster, deployment, engine, objectsOf, smallFleet } from './build';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'charts-'));
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

function written(file: string): { kind: string; metadata: Record<string, unknown> }[] {
  const text = readFileSync(join(outdir, file), 'utf8');
  return parseAllDocuments(text).map(
    (document) => document.toJS() as { kind: string; metadata: Record<string, unknown> },
  );
}

/** The metadata of what lands on a cluster, for a fleet that stands anywhere in an app. */
function namesIn(scope: (app: App) => Construct): unknown {
  const fleet = smallFleet(scope(new App()) as App);
  deployment(fleet);
  return objectsOf(fleet.place({ lock: 'ephemeral' }).charts.get('us')).map(({ metadata }) => metadata);
}

/** The objects that are written after something touched the app. */
function touched(touch: (app: App) => void): { kind: string; metadata: Record<string, unknown> }[] {
  const app = new App({ outdir });
  const fleet = smallFleet(app);
  deployment(fleet);
  deployment(fleet, 'two', { engines: [engine(4)] });
  fleet.place({ lock: 'ephemeral' });
  touch(app);
  app.synth();
  return written('us.k8s.yaml');
}

/** Where the replicas of deployments stand that are declared in this order. */
function lockOf(ids: readonly string[]): unknown {
  const fleet = smallFleet();
  for (const id of ids) deployment(fleet, id);
  return fleet.place({ lock: 'ephemeral' }).lock.placements;
}

describe('the charts of a placed fleet', () => {
  test('are one file a cluster on which something lands, with namespaces first', () => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    new InferenceCluster(fleet, 'idle', cluster('h100', 0));
    deployment(fleet);
    expect([...fleet.place({ lock: 'ephemeral' }).charts.keys()]).toEqual(['us']);
    app.synth();
    expect(readdirSync(outdir)).toEqual(['us.k8s.yaml']);
    expect(written('us.k8s.yaml').map(({ kind }) => kind)).toEqual([
      'Namespace',
      'ResourceClaimTemplate',
      'NetworkPolicy',
      'Service',
      'Deployment',
    ]);
  });

  test('have the names of the manifests, with explicit namespaces and without hashes of paths', () => {
    expect(namesIn((app) => new Construct(app, 'elsewhere'))).toEqual(namesIn((app) => app));
  });

  test('lose no field of a DRA object or of a pod that claims devices', () => {
    const fleet = smallFleet();
    deployment(fleet);
    const text = JSON.stringify(objectsOf(fleet.place({ lock: 'ephemeral' }).charts.get('us')));
    expect(text).toContain('"resourceClaimTemplateName":"q-main');
    expect(text).toContain('"allocationMode":"ExactCount"');
  });

  test('hold what other renderers make of the replicas that they take', () => {
    const fleet = smallFleet();
    deployment(fleet);
    deployment(fleet, 'two');
    const house: Renderer = {
      name: 'house',
      version: 1,
      reject: ({ deployment: { metadata } }) => (metadata.name === 'two' ? undefined : 'it is not for us'),
      render: ({ deployment: { metadata } }) => [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, labels: {} }, data: { a: 'b' } },
      ],
    };
    const { charts, plan } = fleet.place({ lock: 'ephemeral', renderers: [house] });
    const kinds = objectsOf(charts.get('us')).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'Deployment' || kind === 'ConfigMap')).toEqual(['Deployment', 'ConfigMap']);
    expect(plan.notes).toContain('ModelDeployment ml/two: rendered by house.');
  });

  test('stand next to other charts of the app', () => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    deployment(fleet);
    const own = new Chart(app, 'monitoring', { namespace: 'ops' });
    new ConfigMap(own, 'dashboards', { data: { 'a.json': '{}' } });
    fleet.place({ lock: 'ephemeral' });
    app.synth();
    expect(readdirSync(outdir).sort()).toEqual(['monitoring.k8s.yaml', 'us.k8s.yaml']);
  });

  test('may wait for other charts', () => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    deployment(fleet);
    const crds = new Chart(app, 'crds');
    new ApiObject(crds, 'crd', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
    fleet.place({ lock: 'ephemeral' }).charts.get('us')!.addDependency(crds);
    app.synth();
    expect(readdirSync(outdir).sort()).toEqual(['0000-crds.k8s.yaml', '0001-us.k8s.yaml']);
  });

  test('two fleets of one app do not meet', () => {
    const app = new App();
    const [a, b] = [smallFleet(app, 'a'), smallFleet(new Construct(app, 'test') as App, 'b')];
    deployment(a);
    deployment(b, 'other');
    const [first, second] = [a.place({ lock: 'ephemeral' }), b.place({ lock: 'ephemeral' })];
    expect(JSON.stringify(objectsOf(first.charts.get('us')))).not.toContain('other');
    expect(second.charts.get('us')!.node.path).toBe('test/us');
  });
});

describe('escape hatches', () => {
  test('a visitor reaches every emitted object, and what it adds survives', () => {
    const objects = touched((app) => {
      for (const one of app.node.findAll()) {
        if (ApiObject.isApiObject(one)) one.metadata.addAnnotation('example.com/seen', 'yes');
      }
    });
    expect(objects).toHaveLength(9);
    for (const { metadata } of objects) {
      expect(metadata['annotations']).toMatchObject({ 'example.com/seen': 'yes' });
    }
  });

  test('a JSON patch changes a field that no typed class knows, and survives', () => {
    const objects = touched((app) => {
      const deployment = app.node.findAll().find((one) => one.node.id.startsWith('Deployment.ml.q-0'));
      ApiObject.of(deployment!).addJsonPatch(
        JsonPatch.replace('/spec/template/spec/resourceClaims/0/resourceClaimTemplateName', 'mine'),
      );
    });
    const object = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && String(metadata['name']).startsWith('q-0'),
    );
    expect(JSON.stringify(object)).toContain('"resourceClaimTemplateName":"mine"');
  });
});

describe('a fleet', () => {
  test('inside another has its own declarations, which the outer does not see', () => {
    const outer = smallFleet();
    deployment(smallFleet(outer as unknown as App, 'inner'), 'other');
    expect(outer.place({ lock: 'ephemeral' }).plan.fleet).toMatchObject({ clusters: 1, deployments: 0 });
  });

  test('is found from any construct in it', () => {
    const fleet = smallFleet();
    const inner = new Construct(new Construct(fleet, 'team'), 'part');
    expect(Fleet.of(inner)).toBe(fleet);
    expect(() => Fleet.of(new App())).toThrow('the construct is not in a fleet');
  });

  test('takes declarations of constructs in it, which need not know where they stand', () => {
    const fleet = smallFleet();
    deployment(new Construct(fleet, 'team') as Fleet);
    expect(fleet.place({ lock: 'ephemeral' }).plan.totals.place).toBe(1);
  });

  test('gives its defaults to every deployment', () => {
    const defaults = { labels: { 'example.com/owner': 'ml' }, imageRegistry: 'registry.example.com/mirror' };
    const fleet = smallFleet(new App(), 'main', { defaults });
    deployment(fleet);
    const text = JSON.stringify(objectsOf(fleet.place({ lock: 'ephemeral' }).charts.get('us')));
    expect(text).toContain('"example.com/owner":"ml"');
    expect(text).toContain('"image":"registry.example.com/mirror/vllm/vllm-openai:v0.23.0"');
  });

  test('does not depend on the order of declarations', () => {
    expect(lockOf(['b', 'a'])).toEqual(lockOf(['a', 'b']));
  });
});
