import {
  listCatalogueHardware,
  createGpuHardware,
  listGpuNames,
  MOST_NODES,
} from '../../analyze/fit/catalogue-hardware';
import type * as FleetHardware from '../../analyze/fit/fleet-hardware';
import { qualifiedNameOf } from '../../api/resource';
import { attemptAll } from '../../base/attempt';
import { suggestName } from '../../base/name-suggestion';
import { joinNames, quoteShellWord } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { BUILT_IN_HARDWARE, type Hardware } from '../../fleet/hardware/hardware';
import { commandOfAddition } from '../../fleet/models/model-addition';
import {
  BUILT_IN_MODELS,
  findModel,
  type ModelBook,
  findNearestModels,
  findSimilarModels,
  searchModels,
} from '../../fleet/models/model-book';
import type { Block } from '../../report/document/document';
import { type FitReport, formatFit } from '../../report/fit/fit-table';
import { formatLoads, type NamedLoad } from '../../report/fit/load-lines';
import {
  compareRows,
  type FitQuestion,
  type FitRow,
  fitModel,
  fitRow,
  type SizedHardware,
} from '../../sizing/fit-model';
import { formatLayout, spreadOverNodes } from '../../sizing/layout-rules';
import { MOST_TOKENS } from '../../sizing/token-count';
import type * as Measurements from '../add-measurements';
import { commandError, meantHint } from '../command-error';
import type * as DecideResources from '../decide-valid-resources';
import type { ValidDecision } from '../decide-valid-resources';
import { chooseExitCode, EXIT, type ExitCode } from '../exit-code';
import type { FitDocument } from '../json-documents';
import type * as Configs from '../model-config';
import { type Io, printResult } from '../output';
import type * as ResourceErrors from '../resource-errors';
import { type FitFlags, parseServingFlags } from './fit-flags';
import { parseLayoutFlags, parseLoadFlags, parseRankFlags } from './layout-flags';

/**
 * `fleetwright fit MODEL [DIR]`: prints which hardware and layouts serve a model, how many requests, at what price.
 * Resources of the fleet with errors count as the lock has them.
 */
export function runFit(name: string, target: string | undefined, flags: FitFlags, io: Io): ExitCode {
  const decided = target === undefined ? undefined : decideTarget(target, flags, io);
  const book = decided?.fleet.models ?? BUILT_IN_MODELS;
  const hardware = decided?.fleet.hardware ?? BUILT_IN_HARDWARE;
  const { model } = attemptAll({
    model: () => (flags.modelConfig === undefined ? requireModel(name, book) : readOption(flags.modelConfig, name)),
    flags: () => checkFitFlags(flags, hardware),
  });
  const options = parseServingFlags(flags, model.positions);
  // What the flags say of hardware and layout is refused before anything is written.
  if (flags.measured) findRows({ model, options, measurements: [] }, decided, hardware, flags);
  const added = flags.measured ? addResults({ model, options, decided, flags }, io) : [];
  const loads = findLoads(model, decided, flags);
  const measurements = [...book.measurements, ...added];
  const question = { model, options, measurements, ...(loads.length > 0 && { loads }) };
  const rows = findRows(question, decided, hardware, flags);
  const { repository, positions } = model;
  const { context, concurrency } = options;
  const { currency } = hardware.prices;
  const found = { ...(loads.length > 0 && { loads }), rows, ...(decided && faults().toFaultFields(decided)) };
  const fields = { model: repository, context, concurrency, currency, ...found };
  const larger = findOnMoreNodes(question, decided, rows, flags);
  const report = { model: repository, context, positions, concurrency, engine: options.engine, currency, rows };
  const lines = (): Block[] => [
    ...formatFit({ ...report, ...larger, all: flags.all === true }),
    ...formatLoads({ model, options, loads, rows, currency, directory: target ?? '.' }),
  ];
  printResult<FitDocument>('Fit', fields, lines, { flags, io });
  if (!decided) return EXIT.ok;
  faults().printFaults(decided, flags, io);
  return chooseExitCode(faults().faultExitCodesOf(decided));
}

/** @throws FleetwrightError with all flags that no model and no fleet can have */
export function checkFitFlags(flags: FitFlags, hardware: Hardware = BUILT_IN_HARDWARE): void {
  attemptAll({
    serving: () => parseServingFlags(flags, MOST_TOKENS),
    ranks: () => parseRankFlags(flags),
    load: () => parseLoadFlags(flags),
    gpu: () => flags.gpu !== undefined && requireGpu(flags.gpu, undefined, hardware),
  });
}

/** What reads and decides a fleet is loaded on first use, as is what reports its errors: the catalog alone needs neither. */
function decideTarget(target: string, flags: FitFlags, io: Io): ValidDecision {
  return resources().decideValidResources(target, { ...flags, explainsScaling: true, acceptUnplaced: true }, io);
}

function resources(): typeof DecideResources {
  return require('../decide-valid-resources') as typeof DecideResources;
}

function faults(): typeof ResourceErrors {
  return require('../resource-errors') as typeof ResourceErrors;
}

function hardwareOf(decided: ValidDecision): SizedHardware[] {
  const { listFleetHardware } = require('../../analyze/fit/fleet-hardware') as typeof FleetHardware;
  return listFleetHardware(decided);
}

/** The load of the flags, else those that deployments of the fleet declare for the model, also those with errors. */
function findLoads(model: ModelRow, decided: ValidDecision | undefined, flags: FitFlags): readonly NamedLoad[] {
  const given = parseLoadFlags(flags);
  if (given) return [given];
  const declared = decided ? resources().listDeclaredDeployments(decided) : [];
  return declared.flatMap((deployment) => {
    const { repository, load } = deployment.spec.model ?? {};
    return load && repository === model.repository ? [{ deployment: qualifiedNameOf(deployment), ...load }] : [];
  });
}

/** Files are read by schemas and parsers, which are loaded on first use. */
function readOption(path: string, name: string): ModelRow {
  const { readModelOption } = require('../model-config') as typeof Configs;
  return readModelOption(path, name);
}

const addResults: typeof Measurements.addMeasurements = (run, io) => {
  const { addMeasurements } = require('../add-measurements') as typeof Measurements;
  return addMeasurements(run, io);
};

/** @throws FleetwrightError with the three nearest names when no row has the name */
export function requireModel(name: string, book: ModelBook): ModelRow {
  const found = findModel(name, book);
  if (found) return found;
  const matches = searchModels(name, book).length;
  const near = matches > 0 ? findNearestModels(name, book) : findSimilarModels(name, book);
  const hints = [
    ...(near.length > 0 ? [`The nearest are ${joinNames(near.map((one) => `'${one}'`))}`] : []),
    matches > 0 ? `'fleetwright model ${quoteShellWord(name)}' lists ${matches}` : "'fleetwright model' lists all",
    `'fleetwright fit --model-config FILE' reads a config.json for one run; to keep the model, run ${commandOfAddition(name)}`,
  ];
  throw commandError('unknown-model', name, 'unknown model', hints.join('; '));
}

function findRows(
  question: FitQuestion,
  decided: ValidDecision | undefined,
  hardware: Hardware,
  flags: FitFlags,
): FitRow[] {
  const layout = parseLayoutFlags(flags, question.model);
  const wanted = flags.gpu === undefined ? undefined : requireGpu(flags.gpu, layout, hardware);
  const all = decided ? hardwareOf(decided) : wanted ? [wanted] : listCatalogueHardware(hardware);
  const nodes = wanted ? withGpu(all, wanted.gpu.name) : all;
  return layout ? fitOneLayout(question, nodes, layout) : fitModel(question, nodes);
}

/** The cheapest layout that serves on more nodes of a class than its pools have, where none does on these. */
function findOnMoreNodes(
  question: FitQuestion,
  decided: ValidDecision | undefined,
  rows: readonly FitRow[],
  flags: FitFlags,
): Pick<FitReport, 'onMoreNodes'> {
  if (!decided || rows.length === 0 || rows.some(({ verdict }) => verdict !== 'no')) return {};
  if (parseLayoutFlags(flags, question.model)) return {};
  const gpus = new Set(rows.map(({ gpu }) => gpu));
  const larger = hardwareOf(decided).flatMap((one) => (gpus.has(one.gpu.name) ? [{ ...one, nodes: MOST_NODES }] : []));
  const onMoreNodes = fitModel(question, larger).find(({ verdict }) => verdict !== 'no');
  return onMoreNodes ? { onMoreNodes } : {};
}

/** @throws FleetwrightError when no class of a fleet has the GPU */
function withGpu(all: readonly SizedHardware[], name: string): SizedHardware[] {
  const found = all.filter(({ gpu }) => gpu.name === name);
  if (found.length > 0) return found;
  const names = [...new Set(all.map(({ gpu }) => gpu.name))];
  const hint =
    names.length > 0 ? `Its classes have ${joinNames(names)}` : 'Its classes have no GPU that publishes memory';
  throw commandError('unknown-hardware', '--gpu', `no class of the fleet has the GPU '${name}'`, hint);
}

type WantedLayout = NonNullable<ReturnType<typeof parseLayoutFlags>>;

/** One layout on all hardware that takes it. One that cannot divide the model is a row that says why. */
function fitOneLayout(question: FitQuestion, all: readonly SizedHardware[], layout: WantedLayout): FitRow[] {
  const rows = all.flatMap((one) => {
    const spread = spreadOverNodes(layout, one);
    return spread ? [fitRow(question, one, spread)] : [];
  });
  if (rows.length > 0) return rows.sort(compareRows);
  const most = Math.max(0, ...all.map(({ gpusPerNode }) => gpusPerNode));
  if (layout.tp > most) {
    throw commandError('bad-flag', '--tp', `no node has ${layout.tp} GPUs`, `Use at most ${most}`);
  }
  const what = `no hardware has the nodes for ${formatLayout({ ...layout, nodes: 1 })}`;
  throw commandError('bad-flag', layout.pp > 1 ? '--pp' : '--dp', what, 'Name fewer, or another GPU');
}

function requireGpu(name: string, layout: WantedLayout | undefined, { catalogue }: Hardware): SizedHardware {
  const found = createGpuHardware(name, layout?.tp, catalogue);
  if (found) return layout ? { ...found, nodes: MOST_NODES } : found;
  const known = listGpuNames(catalogue);
  const hint = meantHint(suggestName(name, known), `Use one of ${joinNames(known)}`);
  throw commandError('unknown-hardware', '--gpu', `there is no GPU '${name}'`, hint);
}
