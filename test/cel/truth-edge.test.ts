import recent from '../truth/kubernetes-1.36-cases.json';
import edge from '../truth/oracle-edge-cases.json';
import { type DeviceRow, type Ending, endingOf, type RecentRow } from './truth';

/** Expressions that end in another way here. One that no longer does has to leave this list. */
const EXCEPTIONS: Readonly<Record<string, { readonly ours: Ending; readonly because: string }>> = {
  'device.attributes["gpu.nvidia.com"].?architecture == optional.of("Hopper")': costly(),
  'type(1) == int': costly(),
  'type("a") == string': costly(),
  '["a","b"].join("-") == "a-b"': costly(),
  'device.capacity["gpu.nvidia.com"].memory != quantity("1")': costly(),
  'type(device.capacity["gpu.nvidia.com"].memory) == type(quantity("1"))': costly(),
  'dyn(device.capacity["gpu.nvidia.com"].memory) == quantity("81559Mi")': costly(),
};

function costly() {
  return {
    ours: 'compile-error',
    because: 'the API server refuses its cost; the table only evaluates it',
  } as const;
}

describe('the outcomes of the real compiler', () => {
  const rows = edge.cases.map((row) => [row.group, row.expression, row.want as Ending] as const);

  test.each(rows)('%s: %s', (_, expression, want) => {
    const exception = EXCEPTIONS[expression];
    const got = endingOf(expression, edge.device);
    expect(got).toBe(exception?.ours ?? want);
    if (exception) expect(got).not.toBe(want);
  });

  test('every exception is a row', () => {
    expect(rows.map(([, expression]) => expression)).toEqual(expect.arrayContaining(Object.keys(EXCEPTIONS)));
  });
});

/** What Kubernetes 1.36 does where the library, or good sense, would do something else. */
describe('the outcomes of the compiler of Kubernetes 1.36', () => {
  test.each((recent.cases as RecentRow[]).map((row) => [row.group, row.expression, row] as const))(
    '%s: %s',
    (_, expression, { want, listAttributes = true }) => {
      expect(endingOf(expression, recent.device as DeviceRow, { listAttributes })).toBe(want);
    },
  );
});
