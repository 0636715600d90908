import { formatCount } from '../../base/figures';
import { formatUnitPrice } from '../../base/money';
import { sortUnique } from '../../base/order';
import { joinNames, pluralize } from '../../base/text';
import type { GibRange } from '../../catalog/engine-overheads';
import type { EngineVersion } from '../../sizing/engine-version';
import type { FitRow } from '../../sizing/fit-model';
import { formatLayout } from '../../sizing/layout-rules';
import { gpusOf } from '../../sizing/weights';
import { type Block, strong, styledLines } from '../document/document';
import { nameSizedEngine } from './engine-text';

/** What a table of layouts is about. */
export interface FitReport {
  readonly model: string;
  readonly context: number;

  /** The longest context of the model. */
  readonly positions: number;
  readonly concurrency: number;
  readonly engine: EngineVersion;
  readonly currency: string;
  readonly rows: readonly FitRow[];

  /** Whether layouts that do not serve the model are listed too. */
  readonly all: boolean;

  /** The cheapest layout that more nodes in one pool of the fleet serve. Absent: some row serves, or no number of them does. */
  readonly onMoreNodes?: FitRow;
}

/** The price of an hour of hardware, for each of the requests that it serves at once. */
const PER_SLOT = 'PER HOUR/REQUEST';

const HEADINGS = [
  'HARDWARE',
  'GPU',
  'LAYOUT',
  'WEIGHTS',
  'KV CACHE',
  'REQUESTS',
  'MAX CONTEXT',
  'VERDICT',
  'PER HOUR',
  PER_SLOT,
];

/** Formats layouts as a table: GiB a GPU, requests at once, prices. Layouts that do not fit are counted below it. */
export function formatFit(report: FitReport): Block[] {
  const { rows, all, context, concurrency, model, engine } = report;
  const fitting = rows.filter(({ verdict }) => verdict !== 'no');
  const listed = all || rows.length === 1 ? rows : fitting;
  const hasFree = rows.some(({ free }) => free !== undefined);
  const wanted = `${pluralize(concurrency, 'request')} of ${formatCount(context)} tokens at once`;
  const refused = rows.filter(({ verdict }) => verdict === 'no');
  return [
    { text: [strong(model), `: ${wanted}, memory as of ${nameSizedEngine(engine)}`] },
    ...(isTooLong(report) ? styledLines('warn', [describeLongContext(report)]) : []),
    '',
    ...formatTable(listed, report, hasFree),
    ...(hasFree && fitting.length === 0 ? styledLines('warn', [describeUnserved(report)]) : []),
    ...formatReasons(rows, isTooLong(report)),
    ...(refused.length > 0 && !all && rows.length > 1 ? formatRefused(refused) : []),
    ...(refused.length > 0 && refused.length === rows.length ? formatSingleNodes(refused) : []),
    ...describeUnpriced(rows),
    ...formatLegend(listed, report, hasFree),
    ...(hasFree ? formatNoRoom(fitting) : []),
    ...formatSpeeds(model, rows[0]),
  ];
}

function formatTable(listed: readonly FitRow[], report: FitReport, hasFree: boolean): Block[] {
  if (listed.length === 0) return [];
  const headings = [...HEADINGS, ...(hasFree ? ['FREE'] : [])];
  return [{ rows: [headings, ...listed.map((row) => cellsOf(row, report, hasFree))] }, ''];
}

const ORDER =
  'Order: what fits before what is tight, then the lowest PER HOUR, unknown prices last, then the fewest GPUs.';

const UNKNOWN = '-';

/** Says in which order several rows are, and what the columns mean. */
function formatLegend(listed: readonly FitRow[], report: FitReport, hasFree: boolean): string[] {
  if (listed.length === 0) return [];
  const hasPrice = listed.some(({ pricePerConcurrentRequest }) => pricePerConcurrentRequest !== null);
  const regions = sortUnique(listed.flatMap(({ pricedAs }) => pricedAs ?? []));
  const hasUnknown = listed.some((row) => cellsOf(row, report, hasFree).includes(UNKNOWN));
  return [
    ...(listed.length > 1 ? [ORDER] : []),
    `WEIGHTS and KV CACHE: GiB a GPU. REQUESTS: at once, as a range. MAX CONTEXT: the tokens that one request alone has for certain. Prices: ${report.currency} for the GPUs taken, as a share of their nodes${regions.length > 0 ? `, ≈ as in ${joinNames(regions)}` : ''}.${hasUnknown ? ` ${UNKNOWN}: not known.` : ''}`,
    ...(hasPrice ? [`${PER_SLOT}: PER HOUR divided by the expected REQUESTS, not the price of one request.`] : []),
    ...(hasFree ? ['FREE: further replicas of the layout that have a guaranteed place in the fleet now.'] : []),
  ];
}

/** Says that no class of a fleet serves a model, with which number of nodes one does, and what lists other hardware. */
function describeUnserved({ model, onMoreNodes: larger }: FitReport): string {
  const others = `Without DIR, machines of the catalog are tried: 'fleetwright fit ${model}'.`;
  if (!larger) return `No layout that was tried on the classes of the fleet serves it. ${others}`;
  const nodes = pluralize(larger.layout.nodes, 'node');
  const layout = `${gpusOf(larger.layout)} x ${larger.gpu}, ${formatLayout(larger.layout)}`;
  return `No layout serves it on as many nodes as the pools of the fleet have. With ${nodes} in one pool, class ${nameHardware(larger)} does: ${layout}. ${others}`;
}

const NO_ROOM =
  "No layout that fits has room in the fleet now. Declare one, and 'fleetwright plan' says what makes room: moves of other replicas, packing or more nodes.";

/** Says that what fits the GPUs has no free nodes. Empty if some have, or nothing fits. */
function formatNoRoom(fitting: readonly FitRow[]): Block[] {
  const isFull = fitting.length > 0 && fitting.every(({ free }) => free === 0);
  return isFull ? styledLines('warn', [NO_ROOM]) : [];
}

/** Whether requests are longer than those that the model takes, whatever memory holds. */
function isTooLong({ context, positions }: FitReport): boolean {
  return context > positions;
}

function describeLongContext({ positions, context }: FitReport): string {
  return `The model has ${formatCount(positions)} positions: engines refuse ${formatCount(context)} tokens without RoPE scaling.`;
}

/** Hardware, with its clusters where the same class has several prices: `h100 on eu, us`. */
export function nameHardware({ hardware, clusters }: Pick<FitRow, 'hardware' | 'clusters'>): string {
  return clusters ? `${hardware} on ${joinNames(clusters, MOST_CLUSTERS)}` : hardware;
}

const MOST_CLUSTERS = 3;

function cellsOf(row: FitRow, report: FitReport, hasFree: boolean): string[] {
  const { gpu, layout, weightsGiBPerGpu: weights, verdict, pricePerHour, pricePerConcurrentRequest } = row;
  const about = row.pricedAs === undefined ? '' : '≈ ';
  return [
    nameHardware(row),
    `${gpusOf(layout)} x ${gpu}`,
    formatLayout(layout),
    weights === null ? UNKNOWN : weights.toFixed(1),
    formatRange(row.kvGiBPerGpu, (value) => Math.max(0, value).toFixed(1)),
    row.concurrency === null ? UNKNOWN : formatRange(row.concurrency, (value) => formatCount(Math.floor(value))),
    row.maxContext === null ? UNKNOWN : formatCount(row.maxContext),
    isTooLong(report) && verdict !== 'no' ? 'too long' : verdict,
    pricePerHour === null ? UNKNOWN : `${about}${formatUnitPrice(pricePerHour, report.currency)}`,
    pricePerConcurrentRequest === null
      ? UNKNOWN
      : `${about}${formatUnitPrice(pricePerConcurrentRequest, report.currency, 3)}`,
    ...(hasFree ? [String(row.free ?? UNKNOWN)] : []),
  ];
}

function formatRange({ low, high }: GibRange, format: (value: number) => string): string {
  const [from, to] = [format(low), format(high)];
  return from === to ? from : `${from}-${to}`;
}

/** The number that decides about the first row, and about the first that is tight. */
function formatReasons(rows: readonly FitRow[], isTooLong: boolean): Block[] {
  const [first] = rows;
  if (!first) return [];
  const reasons = [first, ...rows.filter(({ verdict }) => verdict === 'tight').slice(0, 1)];
  return [...new Set(reasons)].map(
    (row) =>
      `${nameHardware(row)}, ${formatLayout(row.layout)}: ${isTooLong ? 'memory: ' : ''}${row.verdict}: ${row.reason}.`,
  );
}

/** Whether the hardware is a GPU by name, and not a machine of the catalog or a class of the fleet, which has free nodes. */
function isNamedGpu({ hardware, gpu, free }: FitRow): boolean {
  return hardware === gpu && free === undefined;
}

/** Says why no machine and no price is listed, or no price of a class. */
function describeUnpriced(rows: readonly FitRow[]): Block[] {
  if (rows.length > 0 && rows.every(isNamedGpu))
    return ['A GPU by name has no price. Without --gpu, the machines of the catalog are listed, with prices.'];
  const unpriced = rows.filter(({ free, pricePerHour, pricedAs }) => {
    return free !== undefined && (pricePerHour === null || pricedAs !== undefined);
  });
  return [
    ...describeClassPrices(unpriced.filter(({ clusters }) => clusters === undefined)),
    ...describeRegionPrices(unpriced),
  ];
}

function describeClassPrices(unpriced: readonly FitRow[]): Block[] {
  const names = sortUnique(unpriced.map(({ hardware }) => hardware));
  if (names.length === 0) return [];
  const [what, whose] = names.length === 1 ? ['price of class', 'its'] : ['prices of classes', 'their'];
  const are = names.length === 1 ? 'is' : 'are';
  return [`The ${what} ${joinNames(names, MOST_CLASSES)} ${are} unknown: set ${whose} 'price.perHour'.`];
}

/** Says which price only some clusters have. One in the class would replace it there too. */
function describeRegionPrices(unpriced: readonly FitRow[]): Block[] {
  const elsewhere = new Map(unpriced.flatMap((row) => (row.clusters ? [[row.hardware, row]] : [])));
  return [...elsewhere.values()].map((row) => {
    const of = row.clusters?.length === 1 ? 'its region' : 'their regions';
    return `The price of class ${nameHardware(row)} is unknown: state it for ${of} in the file of 'prices' of the Fleet. 'price.perHour' of the class would be the price on all clusters.`;
  });
}

const MOST_CLASSES = 5;

const SINGLE_NODES =
  'Layouts on several nodes were not tried: a GPU by name has no network between nodes. Without --gpu, the machines of the catalog that have one are tried.';

/** Says why no gang is among layouts of a GPU by name. */
function formatSingleNodes(rows: readonly FitRow[]): Block[] {
  return rows.every((row) => isNamedGpu(row) && row.layout.nodes === 1) ? [SINGLE_NODES] : [];
}

function formatRefused(rows: readonly FitRow[]): Block[] {
  const nearest = rows.toSorted((a, b) => b.kvGiBPerGpu.high - a.kvGiBPerGpu.high)[0];
  const example = nearest ? ` ${nameHardware(nearest)}, ${formatLayout(nearest.layout)}: ${nearest.reason}.` : '';
  return [`${pluralize(rows.length, 'layout')} cannot serve it; --all lists them.${example}`];
}

/** The bounds of the first row, and what was measured. */
function formatSpeeds(model: string, row: FitRow | undefined): Block[] {
  if (!row?.bounds || row.verdict === 'no') return [];
  const { decodeOfOneRequest, decode, prefill } = row.bounds;
  const prompts = prefill === null ? '' : `, and ${formatCount(Math.round(prefill))} of prompts`;
  const bound = `Bounds of ${nameHardware(row)}, ${formatLayout(row.layout)}, not predictions: at most, in tokens a second, ${formatCount(Math.round(decodeOfOneRequest))} of one request, ${formatCount(Math.round(decode))} of all requests at once${prompts}.`;
  return [bound, describeMeasured(model, row)];
}

function describeMeasured(model: string, { measured, measuredAt }: FitRow): string {
  if (measuredAt) {
    const { low, high } = measuredAt;
    const at = low === high ? String(low) : `${low} to ${high}`;
    return `Measured at ${at} requests at once: no speed is stated for other numbers, or for shorter requests. Set --concurrency and --context.`;
  }
  if (!measured) return `Speeds need measurements: add them with 'fleetwright fit ${model} DIR --measured FILE'.`;
  const { concurrency, outputTokensPerSecond, requestsPerSecond, from } = measured;
  const sources = from.map((one) => `${one.source} at ${one.concurrency}`).join(' and ');
  return `Measured at ${concurrency} requests: ${formatCount(outputTokensPerSecond)} tokens and ${requestsPerSecond.toFixed(2)} requests a second, from ${sources}.`;
}
