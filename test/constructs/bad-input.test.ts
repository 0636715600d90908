import { App, Chart } from 'cdk8s';
import { Construct } from 'constructs';
import {
  Fleet,
  InferenceClass,
  InferenceCluster,
  InferenceGateway,
  ModelCache,
  ModelDeployment,
} from '../../constructs/index';
import { cluster, deployment, EIGHT_GPUS, engine, placing, refusal, smallFleet } from './build';

/** What JavaScript passes though TypeScript would refuse it. */
const untyped = <T>(value: unknown): T => value as T;

const declarations: Record<string, { declare: (fleet: Fleet) => void; want: string[] }> = {
  'a number of the wrong type names the construct and its prop': {
    declare: (fleet) => deployment(fleet, 'q', { replicas: untyped('two') }),
    want: ['main/q replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.'],
  },
  'a nested value of the wrong type has its whole path': {
    declare: (fleet) => deployment(fleet, 'q', { engines: [{ ...engine(), copies: untyped('x') }] }),
    want: ['main/q engines[0].copies: expected a number, got the text "x". Write a whole number from 1 to 64.'],
  },
  'every problem of every construct is reported at once': {
    declare: (fleet) => {
      deployment(fleet, 'a', { replicas: untyped('two'), priority: untyped(true) });
      deployment(fleet, 'b', { engines: untyped([]) });
    },
    want: [
      'main/a priority: expected a number, got true. Write a whole number from -1000000 to 1000000.',
      'main/a replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.',
      "main/b engines: the deployment has no engines. Write 'engines', or 'spec.model', from which engines are derived.",
    ],
  },
  'a misspelt prop names the nearest, also one of the template': {
    declare: (fleet) => deployment(fleet, 'q', untyped({ toleration: [], replica: 1 })),
    want: [
      "main/q replica: a ModelDeployment has no prop 'replica'. Use 'replicas'.",
      "main/q toleration: a ModelDeployment has no prop 'toleration'. Use 'tolerations'.",
    ],
  },
  'labels of the template have their prop': {
    declare: (fleet) => deployment(fleet, 'q', { replicaLabels: { 'fleetwright.dev/pool': 'x' } }),
    want: [
      'main/q replicaLabels["fleetwright.dev/pool"]: Fleetwright sets the label \'fleetwright.dev/pool\'. Use another prefix.',
    ],
  },
  'an id that is no name says so': {
    declare: (fleet) => deployment(fleet, 'Q_1'),
    want: [expect.stringMatching(/^main\/Q_1 name: 'Q_1' is not a DNS name\./) as string],
  },
  'no props at all': {
    declare: (fleet) => new ModelDeployment(fleet, 'q', untyped(undefined)),
    want: ["main/q replicas: the field 'replicas' is missing. Add the number of replicas, each on one cluster."],
  },
  'two deployments of one name name both constructs': {
    declare: (fleet) => {
      deployment(fleet, 'a', { name: 'q' });
      deployment(fleet, 'b', { name: 'q' });
    },
    want: ['main/b: ModelDeployment ml/q is declared twice, first at main/a. Rename or remove one of the two.'],
  },
  'a reference by a name that no one has': {
    declare: (fleet) => new InferenceCluster(fleet, 'eu', cluster('h10')),
    want: ["main/eu nodePools[0].className: there is no InferenceClass 'h10'. Use 'h100'."],
  },
  'a reference to an object of another fleet': {
    declare: (fleet) => {
      const other = new Fleet(new App(), 'other');
      new InferenceCluster(fleet, 'eu', cluster(new InferenceClass(other, 'h100', EIGHT_GPUS)));
    },
    want: [
      'main/eu nodePools[0].className: InferenceClass other/h100 belongs to another fleet. Declare it in this fleet too.',
    ],
  },
  'a reference to an object of another kind': {
    declare: (fleet) => new InferenceGateway(fleet, 'g', { clusters: [untyped(fleet.node.findChild('h100'))] }),
    want: ['main/g clusters[0]: InferenceClass main/h100 is not allowed here. Use an InferenceCluster or its name.'],
  },
  'an object where only data can be': {
    declare: (fleet) => deployment(fleet, 'q', { priority: untyped(fleet.node.findChild('h100')) }),
    want: ['main/q priority: InferenceClass main/h100 is not allowed here. Use plain data.'],
  },
  'a cache of another namespace': {
    declare: (fleet) => {
      const modelCacheRef = new ModelCache(fleet, 'weights', {
        namespace: 'other',
        source: 'HuggingFace',
        huggingFace: { repo: 'Qwen/Qwen3-8B' },
        sizeGiB: 20,
      });
      deployment(fleet, 'q', { modelCacheRef });
    },
    want: [
      "main/q modelCacheRef: ModelCache main/weights is in namespace 'other', and a reference must be to namespace 'ml'. Use the same namespace for both.",
    ],
  },
  'an adapter whose cache is a class': {
    declare: (fleet) => {
      const name: string = untyped(fleet.node.findChild('h100'));
      deployment(fleet, 'q', { loraAdapters: [{ name: 'sql', modelCacheRef: { name } }] });
    },
    want: [
      'main/q loraAdapters[0].modelCacheRef.name: InferenceClass main/h100 is not allowed here. Use a ModelCache or its name.',
    ],
  },
  'a reference that a cyclic import left undefined': {
    declare: (fleet) => new InferenceCluster(fleet, 'eu', cluster(untyped(undefined))),
    want: [
      'main/eu nodePools[0].className: the value is undefined. Pass a construct or a name. It is also undefined in a circular import.',
    ],
  },
  'a selector that does not compile': {
    declare: (fleet) => {
      const devices = [{ name: 'gpu', selectors: [{ cel: 'device.' }] }];
      const [member] = engine().members;
      deployment(fleet, 'q', {
        engines: [{ name: 'main', members: [{ ...member!, nodeSelector: { devices } }] }],
      });
    },
    want: [
      expect.stringMatching(
        /^main\/q engines\[0\]\.members\[0\]\.nodeSelector\.devices\[0\]\.selectors\[0\]\.cel: /,
      ) as string,
    ],
  },
  'data that leads in a circle': {
    declare: (fleet) => {
      const circle: Record<string, unknown> = {};
      circle['serving'] = circle;
      deployment(fleet, 'q', untyped(circle));
    },
    want: [expect.stringMatching(/^main\/q serving\.serving: unknown field 'serving'/) as string],
  },
  'a replica that has no place': {
    declare: (fleet) => deployment(fleet, 'q', { replicas: 3 }),
    want: [
      'main/q replicas: 1 of 3 replicas of ml/q does not fit (us / h100: needs 8 gpu on one node; all its devices are in use). Cheapest: 1 more node in us / h100 (8 GPUs).',
    ],
  },
};

describe('place', () => {
  test.each(Object.entries(declarations))('%s', (_, { declare, want }) => {
    const fleet = smallFleet();
    declare(fleet);
    expect(placing(fleet)).toEqual(want);
  });

  test('twice is refused', () => {
    const fleet = smallFleet();
    fleet.place({ lock: 'ephemeral' });
    expect(placing(fleet)).toEqual([
      'main: the fleet is placed already. Call place() once, after everything is declared.',
    ]);
  });

  test.each([[undefined], [{}], [{ lock: 3 }], [{ lock: '' }]])('with the options %j is refused', (options) => {
    expect(refusal(() => smallFleet().place(untyped(options)))).toEqual([
      "main: place() needs a lock file. Pass { lock: 'fleet.lock.yaml' } or { lock: 'ephemeral' }.",
    ]);
  });

  test('next to a construct with the id of a cluster is refused before anything is added', () => {
    const app = new App();
    const fleet = smallFleet(app);
    deployment(fleet);
    new Chart(app, 'us');
    expect(placing(fleet)).toEqual([
      "us: the chart of cluster 'us' would have the ID of another construct. Change the ID of that construct, or create the fleet in its own Construct.",
    ]);
  });
});

describe('a declaration', () => {
  test('outside a fleet is refused', () => {
    expect(refusal(() => new InferenceClass(new App(), 'h100', EIGHT_GPUS))).toEqual([
      'h100: the InferenceClass is not in a fleet. Pass a Fleet, or a construct in one, as its scope.',
    ]);
  });

  test('without a scope is refused, and says what leads there', () => {
    expect(refusal(() => new InferenceClass(untyped(undefined), 'h100', EIGHT_GPUS))).toEqual([
      'h100: the scope of the InferenceClass is not a construct. Pass a Fleet, or a construct in one. It is also undefined in a circular import.',
    ]);
  });

  test('after place() is refused', () => {
    const fleet = smallFleet();
    fleet.place({ lock: 'ephemeral' });
    expect(refusal(() => deployment(fleet))).toEqual([
      'main/q: the ModelDeployment is created after its fleet was placed. Create it before main.place().',
    ]);
  });

  test('does no work when it is made: props are read at place()', () => {
    const fleet = smallFleet();
    const props = { replicas: untyped<number>('two') };
    const late = new ModelDeployment(fleet, 'q', { namespace: 'ml', engines: [engine()], ...props });
    expect(late.name).toBe('q');
    expect(placing(fleet)).toHaveLength(1);
  });
});

describe('synth without place', () => {
  test('fails by validation and tells every problem with the path of its construct', () => {
    const app = new App({ outdir: 'unused-out' });
    const fleet = smallFleet(app);
    deployment(new Construct(fleet, 'team') as Fleet, 'q', { replicas: untyped('two') });
    expect(app.node.findAll().flatMap((one) => one.node.validate().map((text) => `${one.node.path}: ${text}`))).toEqual(
      [
        'main: the fleet is not placed. Call place() before synth().',
        'main/team/q: replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.',
      ],
    );
    expect(() => Chart.prototype.toJson.call(new Chart(app, 'other'))).toThrow(
      '[main] the fleet is not placed. Call place() before synth().',
    );
  });

  test('a placed fleet validates', () => {
    const fleet = smallFleet();
    fleet.place({ lock: 'ephemeral' });
    expect(fleet.node.validate()).toEqual([]);
  });
});
