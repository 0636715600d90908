import { type Fleet, InferenceClass, InferenceCluster } from '../../constructs/index';
import { cluster, deployment, engine, placing, refusal, smallFleet } from './build';

/** What JavaScript passes though TypeScript would refuse it. */
const untyped = <T>(value: unknown): T => value as T;

/** Of which no one knows when it is ready. */
const unknownEngine = JSON.parse(
  JSON.stringify(engine()).replace('vllm/vllm-openai', 'example.com/engine'),
) as ReturnType<typeof engine>;

const cases: Record<string, { declare: (fleet: Fleet) => void; want: string[] }> = {
  'a rule that a cluster breaks is reported next to a class that no one has': {
    declare: (fleet) => {
      const { nodePools, ...eu } = cluster('h10');
      new InferenceCluster(fleet, 'eu', { ...eu, nodePools: [{ ...nodePools[0], name: 'p'.repeat(41) }] });
    },
    want: [
      "main/eu nodePools[0].className: there is no InferenceClass 'h10'. Use 'h100'.",
      'main/eu nodePools[0].name: a text of 41 characters is greater than the maximum of 40. Shorten it to at most 40 characters.',
    ],
  },
  'but such a class is not missed next to a construct that cannot be read: it may be that one': {
    declare: (fleet) => {
      new InferenceCluster(fleet, 'eu', cluster('h10'));
      new InferenceClass(fleet, 'h10', untyped({ devices: 8 }));
    },
    want: ['main/h10 devices: expected a list, got a number. Put the value in square brackets.'],
  },
  'nor where the file that a deployment names is missing, which may say what it lacks': {
    declare: (fleet) => deployment(fleet, 'q', { engines: [unknownEngine], modelDefinition: 'no-such.yaml' }),
    want: ["main/q modelDefinition: no file matches 'no-such.yaml'. Correct the path, or remove the line."],
  },
};

test.each(Object.entries(cases))('%s', (_, { declare, want }) => {
  const fleet = smallFleet();
  declare(fleet);
  expect(placing(fleet)).toEqual(want);
});

test('a file that cannot be read is reported next to what is wrong with the declarations', () => {
  const fleet = smallFleet(undefined, 'main', { policies: 'docs/map.png' });
  deployment(fleet, 'q', { replicas: untyped('two') });
  expect(placing(fleet)).toEqual([
    expect.stringMatching(/^docs\/map\.png: .*UTF-8/) as string,
    'main/q replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.',
  ]);
});

test('a lock that cannot be read is reported next to what is wrong with the declarations', () => {
  const fleet = smallFleet();
  deployment(fleet, 'q', { replicas: untyped('two') });
  expect(refusal(() => fleet.place({ lock: 'package.json' }))).toEqual([
    'main/q replicas: expected a number, got the text "two". Write a whole number from 0 to 1000.',
    expect.stringMatching(/^package\.json:1:1: the line 'version: 1' is missing/) as string,
  ]);
});
