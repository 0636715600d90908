import type { Resource } from '../../src/api/kinds';
import { priceFile } from '../../src/api/price-file';
import type { Cost } from '../../src/cost/cost';
import { assemble } from '../../src/fleet/fleet';
import { BUILT_IN_HARDWARE } from '../../src/fleet/hardware/hardware';
import { buildPriceBook } from '../../src/fleet/prices/price-book';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';
import { byPath, type Doc } from '../api/build';

/** What a fleet costs, decided afresh. */
export function costOf(resources: readonly Resource[], file: Doc = {}): Cost {
  const hardware = { ...BUILT_IN_HARDWARE, prices: buildPriceBook(priceFile.parse(file)) };
  return decide(assemble(resources, hardware), byPath, EMPTY_LOCK).plan.cost;
}
