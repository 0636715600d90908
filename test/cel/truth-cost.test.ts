/** @jest-environment node */

import type * as Cost from '../../src/cel/evaluation-cost/estimate-cost';
import { estimateCost } from '../../src/cel/evaluation-cost/estimate-cost';
import { compileSelector } from '../../src/cel/selector';
import recent from '../truth/kubernetes-1.36-cases.json';
import type { RecentRow } from './truth';

jest.mock('../../src/cel/evaluation-cost/estimate-cost', () => {
  const real = jest.requireActual<typeof Cost>('../../src/cel/evaluation-cost/estimate-cost');
  return { ...real, estimateCost: jest.fn(real.estimateCost) };
});

/** What the estimate comes to for a selector that is compiled for the first time. */
function cost(expression: string, listAttributes: boolean): unknown {
  compileSelector(expression, { listAttributes });
  return jest.mocked(estimateCost).mock.results.at(-1)?.value;
}

const rows = (recent.cases as RecentRow[]).filter((row) => row.cost !== undefined);

describe("the estimate of the API server for an expression's cost", () => {
  test.each(rows.map((row) => [row.expression, row] as const))(
    '%s',
    (expression, { cost: want, listAttributes = true }) => {
      expect(cost(expression, listAttributes)).toBe(want);
    },
  );
});
