import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiObject, App, type AppProps, Chart, Lazy, Testing, YamlOutputType } from 'cdk8s';
import type { Construct } from 'constructs';
import { InferenceCluster, ModelDeployment } from '../../constructs/index';
import { cluster, deployment, engine, placing, smallFleet } from './build';

let outdir: string;
beforeEach(() => {
  outdir = mkdtempSync(join(tmpdir(), 'cdk8s-'));
});
afterEach(() => rmSync(outdir, { recursive: true, force: true }));

/** A fleet whose one deployment has a replica on each of two clusters, with the same names in two namespaces. */
function onTwoClusters(props: AppProps): App {
  const app = new App({ outdir, ...props });
  const fleet = smallFleet(app);
  new InferenceCluster(fleet, 'eu', cluster('h100'));
  deployment(fleet, 'q', { replicas: 2, engines: [engine(2)] });
  deployment(fleet, 'other', { name: 'q', namespace: 'search', replicas: 2, engines: [engine(2)] });
  fleet.place({ lock: 'ephemeral' });
  return app;
}

function lazy<T>(produce: () => T): T {
  return Lazy.any({ produce }) as T;
}

const NO_CHART =
  'but constructs of a fleet are not in a chart. Use addDependency() of the charts that place() returns.';

describe('an app of cdk8s', () => {
  test('writes every object once with a folder a chart and a file a resource', () => {
    const app = onTwoClusters({ yamlOutputType: YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE });
    app.synth();
    for (const chart of app.charts)
      expect(readdirSync(join(outdir, chart.node.id))).toHaveLength(chart.apiObjects.length);
  });

  test.each([
    [YamlOutputType.FILE_PER_APP, 'FILE_PER_APP writes the objects of all clusters to one file.'],
    [
      YamlOutputType.FILE_PER_RESOURCE,
      'FILE_PER_RESOURCE writes objects of equal names on different clusters to the same file, where the last one wins.',
    ],
  ])('does not mix the objects of clusters (output type %s)', (yamlOutputType, want) => {
    expect(() => onTwoClusters({ yamlOutputType }).synth()).toThrow(
      `[main] ${want} Use FILE_PER_CHART or FOLDER_PER_CHART_FILE_PER_RESOURCE.`,
    );
    expect(readdirSync(outdir)).toEqual([]);
  });

  test('may write all to one file where there is one cluster', () => {
    const app = new App({ outdir, yamlOutputType: YamlOutputType.FILE_PER_APP });
    const fleet = smallFleet(app);
    deployment(fleet);
    fleet.place({ lock: 'ephemeral' });
    app.synth();
    expect(readdirSync(outdir)).toEqual(['app.k8s.yaml']);
  });

  test('records from which construct each object is', () => {
    const app = onTwoClusters({ recordConstructMetadata: true });
    app.synth();
    const recorded = JSON.parse(readFileSync(join(outdir, 'construct-metadata.json'), 'utf8')) as object;
    expect(JSON.stringify(recorded)).toContain('"path":"us/Namespace.search"');
  });

  test('of Testing synthesizes the chart of a cluster by itself', () => {
    const fleet = smallFleet(Testing.app());
    deployment(fleet);
    const { charts } = fleet.place({ lock: 'ephemeral' });
    expect(Testing.synth(charts.get('us')!)).toHaveLength(5);
  });
});

describe('a prop', () => {
  test('may be lazy at any depth, and is asked when the fleet is placed', () => {
    const fleet = smallFleet();
    let replicas = 1;
    deployment(fleet, 'q', {
      replicas: lazy(() => replicas),
      engines: lazy(() => [{ ...engine(2), name: lazy(() => 'late') }]),
    });
    replicas = 2;
    const { plan, lock } = fleet.place({ lock: 'ephemeral' });
    expect(plan.totals.place).toBe(2);
    expect(JSON.stringify(lock)).toContain('"late":"h100"');
  });

  test('that is lazy and wrong is reported like any other', () => {
    const fleet = smallFleet();
    deployment(fleet, 'q', { replicas: lazy<unknown>(() => 'two') as number });
    expect(placing(fleet)).toEqual([
      'main/q replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.',
    ]);
  });
});

describe('a dependency', () => {
  const waits: Record<string, (declared: Construct, chart: Chart) => { where: string; what: string }> = {
    'of a declaration on a chart': (declared, chart) => {
      declared.node.addDependency(chart);
      return { where: 'main/q', what: 'it depends on crds' };
    },
    'of a chart on a declaration': (declared, chart) => {
      chart.node.addDependency(declared);
      return { where: 'crds', what: 'it depends on main/q' };
    },
    'of a chart on a fleet': (declared, chart) => {
      chart.addDependency(declared.node.scope!);
      return { where: 'crds', what: 'it depends on main' };
    },
  };

  test.each(Object.entries(waits))('%s is refused, and says what to do', (_, wait) => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    const { where, what } = wait(deployment(fleet), new Chart(app, 'crds'));
    expect(placing(fleet)).toEqual([`${where}: ${what}, ${NO_CHART}`]);
  });

  test.each(Object.entries(waits))('%s is refused after place(), too', (_, wait) => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    const declared = deployment(fleet);
    fleet.place({ lock: 'ephemeral' });
    const { where, what } = wait(declared, new Chart(app, 'crds'));
    expect(() => app.synth()).toThrow(`[main] ${where}: ${what}, ${NO_CHART}`);
  });

  test('among other charts is theirs', () => {
    const app = new App({ outdir });
    const fleet = smallFleet(app);
    deployment(fleet);
    new Chart(app, 'a').addDependency(new Chart(app, 'b'));
    fleet.place({ lock: 'ephemeral' });
    app.synth();
    expect(readdirSync(outdir)).toHaveLength(3);
  });
});

describe('a construct', () => {
  test('shows what a user needs of it, and no more', () => {
    const one = deployment(smallFleet(), 'a/b');
    expect(one).toMatchObject({ name: 'a--b', namespace: 'ml' });
    expect(Object.keys(one)).toEqual(['node']);
  });

  test('has the name and the namespace that its props give it, and else its id and default', () => {
    const fleet = smallFleet(new App(), 'main', { name: 'all' });
    expect(fleet.name).toBe('all');
    expect(smallFleet().name).toBe('main');
    expect(deployment(fleet, 'a', { name: 'q', namespace: 'search' })).toMatchObject({
      name: 'q',
      namespace: 'search',
    });
    expect(new ModelDeployment(fleet, 'b', { replicas: 0, engines: [engine()] })).toMatchObject({
      name: 'b',
      namespace: 'default',
    });
    expect(new InferenceCluster(fleet, 'eu', cluster('h100')).namespace).toBeUndefined();
  });

  test('of a fleet without settings declares none, so that its id may be any', () => {
    expect(placing(smallFleet(new App(), 'Our Fleet'))).toEqual([]);
    expect(placing(smallFleet(new App(), 'Our Fleet', { labels: {} }))).toHaveLength(1);
  });

  test('of one kind is no construct of another to the compiler', () => {
    const fleet = smallFleet();
    const other = new ModelDeployment(fleet, 'q', { replicas: 0, engines: [engine()] });
    // @ts-expect-error: a pool has a class
    new InferenceCluster(fleet, 'eu', cluster(other));
    expect(placing(fleet)).toEqual([
      'main/eu nodePools[0].className: ModelDeployment main/q is not allowed here. Use an InferenceClass or its name.',
    ]);
  });

  test('has its objects in charts, not below it', () => {
    const fleet = smallFleet();
    const one = deployment(fleet);
    fleet.place({ lock: 'ephemeral' });
    expect(one.node.findAll().filter((below) => ApiObject.isApiObject(below))).toEqual([]);
  });
});
