import type { Resource } from '../../src/api/kinds';
import { priceFile } from '../../src/api/price-file';
import type { Cost } from '../../src/cost/cost';
import { assemble } from '../../src/fleet';
import { OUR_HARDWARE } from '../../src/hardware/hardware';
import { priceBook } from '../../src/hardware/price-book';
import { decide } from '../../src/plan/decide';
import { EMPTY_LOCK } from '../../src/scheduler/lock';
import { byPath, type Doc } from '../api/build';

/** What a fleet costs, decided afresh. */
export function costOf(resources: readonly Resource[], file: Doc = {}): Cost {
  const hardware = { ...OUR_HARDWARE, prices: priceBook(priceFile.parse(file)) };
  return decide(assemble(resources, hardware), byPath, EMPTY_LOCK).plan.cost;
}
