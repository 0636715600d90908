import { formatUnitPrice } from '../../base/money';
import { pluralize } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import type { Load } from '../../sizing/carried-load';
import type { CarriedLoad, FitRow } from '../../sizing/fit-model';
import { formatLayout } from '../../sizing/layout-rules';
import { formatLoad, formatRates, formatReplicas, formatSources } from '../../sizing/load-text';
import { chooseConcurrency, measureCommands } from '../../sizing/measure-commands';
import type { ServingOptions } from '../../sizing/serving-options';
import type { Block } from '../document/document';
import { nameHardware } from './fit-table';

/** A load, and the deployment that declares it. */
export interface NamedLoad extends Load {
  /** `namespace/name`. Absent: flags state the load. */
  readonly deployment?: string;
}

interface LoadReport {
  readonly model: ModelRow;
  readonly options: ServingOptions;
  readonly loads: readonly NamedLoad[];
  readonly rows: readonly FitRow[];
  readonly currency: string;

  /** The directory of the fleet, for commands. */
  readonly directory: string;
}

/** Says of each load which replicas carry it, or how that is measured. */
export function formatLoads(report: LoadReport): Block[] {
  const serving = report.rows.filter(({ verdict }) => verdict !== 'no');
  return report.loads.flatMap((load, index): Block[] => {
    const of = load.deployment === undefined ? 'A load' : `The load of ${load.deployment}`;
    const carried = serving.flatMap((row) => {
      const one = row.loads?.[index];
      return one ? [describeCarried(row, one, report.currency)] : [];
    });
    if (carried.length > 0) return ['', `${of} of ${formatLoad(load)}:`, ...carried];
    return ['', ...describeUnknown(load, report, serving[0])];
  });
}

function describeCarried(row: FitRow, { replicas, requestsPerSecond, from }: CarriedLoad, currency: string): string {
  const [low, high] = [replicas.low, replicas.high].map((count) =>
    formatUnitPrice((row.pricePerHour ?? 0) * count, currency),
  );
  const price = row.pricePerHour === null ? '' : `, ${low === high ? low : `${low} to ${high}`} an hour`;
  return `  ${nameHardware(row)}, ${formatLayout(row.layout)}: ${formatReplicas(replicas)}${price}; one carries ${formatRates(requestsPerSecond)} (${formatSources(from)})`;
}

function describeUnknown(
  load: NamedLoad,
  { model, options, directory }: LoadReport,
  row: FitRow | undefined,
): string[] {
  const what = `How many replicas carry ${formatLoad(load)} cannot be known: there is no measurement of such requests.`;
  if (!row) return [what];
  const { gpu, layout } = row;
  const fitting = (row.kvTokens?.expected ?? 0) / (load.inputTokens + load.outputTokens);
  const concurrency = chooseConcurrency(options.concurrency, fitting);
  const commands = measureCommands({ subject: { model, gpu, layout }, load, concurrency, directory });
  const how = `Measure one replica, for example of ${nameHardware(row)}, ${formatLayout(layout)}, with ${pluralize(concurrency, 'request')} at once:`;
  return [what, how, ...commands.map((command) => `  ${command}`)];
}
