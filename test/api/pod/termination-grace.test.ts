import { graceSecondsOf } from '../../../src/api/pod/termination-grace';
import { aDeployment, aMember, anEngine, type Doc } from '../build';
import { fullDocument } from '../documents';
import { changed, reported } from '../rows';

const ENGINE = 'spec.template.spec.engines.0';
const POD = `${ENGINE}.members.0.template.spec`;
const waits = (seconds: number): Doc => ({ sleep: { seconds } });
const tooLong = (where: string, seconds: number, grace: number) =>
  `${POD}.${where}.sleep.seconds: ${seconds} seconds are more than the ${grace} seconds that the pod has to terminate. Raise terminationGracePeriodSeconds of the pod, or drain.grace of the engine.`;

/** A pod with these hooks of its engine, and of a container that starts before it. */
function podWith(engine: Doc, before: Doc = {}, more: Doc = {}): Doc {
  return {
    containers: [{ name: 'engine', image: 'vllm/vllm-openai:v0.23.0', args: ['m'], lifecycle: engine }],
    initContainers: [{ name: 'logs', image: 'logs:1', restartPolicy: 'Always', lifecycle: before }],
    ...more,
  };
}

describe('hooks that wait', () => {
  const cases: Record<string, { pod: Doc; grace?: string; want: string[] }> = {
    'have as long as the pod has': {
      pod: podWith({ preStop: waits(9), postStart: waits(9) }, {}, { terminationGracePeriodSeconds: 9 }),
      want: [],
    },
    'have no longer, in whichever container they are': {
      pod: podWith({ preStop: waits(10) }, { postStart: waits(11) }, { terminationGracePeriodSeconds: 9 }),
      want: [tooLong('containers.0.lifecycle.preStop', 10, 9), tooLong('initContainers.0.lifecycle.postStart', 11, 9)],
    },
    'have ten minutes where no one says': { pod: podWith({ preStop: waits(600) }), want: [] },
    'have no longer than that': {
      pod: podWith({ preStop: waits(601) }),
      want: [tooLong('containers.0.lifecycle.preStop', 601, 600)],
    },
    'have what their engine has': {
      pod: podWith({ preStop: waits(20) }),
      grace: '15s',
      want: [tooLong('containers.0.lifecycle.preStop', 20, 15)],
    },
  };
  test.each(Object.entries(cases))('%s', (_, { pod, grace, want }) => {
    const drain = grace === undefined ? {} : { [`${ENGINE}.drain`]: { grace } };
    const document = changed(fullDocument('ModelDeployment'), { [POD]: pod, ...drain });
    expect(reported(document)).toEqual(want);
  });
});

test('the word of a pod counts before that of its engine', () => {
  const template = { spec: { ...podWith({}), terminationGracePeriodSeconds: 0 } };
  const members = [aMember({ template })];
  const engines = [anEngine('main', { members, drain: { grace: '1m' } })];
  const [engine] = aDeployment('ml/q', { engines }).spec.template.spec.engines;
  expect(graceSecondsOf(engine!, engine!.members[0]!)).toBe(0);
});
