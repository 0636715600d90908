import { catalogueHardware, gpuHardware, gpuNames } from '../../analyze/fit/catalogue-hardware';
import { fleetHardware } from '../../analyze/fit/fleet-hardware';
import { suggestName } from '../../base/name-suggestion';
import { joinNames } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { BUILT_IN_HARDWARE, type Hardware } from '../../fleet/hardware/hardware';
import { BUILT_IN_MODELS, findModel, type ModelBook, nearestModels } from '../../fleet/models/model-book';
import { formatFit } from '../../report/fit/fit-table';
import {
  compareRows,
  type FitQuestion,
  type FitRow,
  fitModel,
  fitRow,
  type SizedHardware,
} from '../../sizing/fit-model';
import { tensorLayout } from '../../sizing/layout-rules';
import type * as Measurements from '../add-measurements';
import { commandError, meantHint } from '../command-error';
import { type DecidedFleet, decideFleet } from '../decide-fleet';
import { EXIT, type ExitCode } from '../exit-code';
import type { FitDocument } from '../json-documents';
import type * as Configs from '../model-config';
import { type Io, printResult } from '../output';
import { type FitFlags, parseCount, parseServingFlags } from './fit-flags';

/** `fleetwright fit MODEL [DIR]`: prints which hardware and layouts serve a model, how many requests, at what price. */
export function runFit(name: string, target: string | undefined, flags: FitFlags, io: Io): ExitCode {
  const decided = target === undefined ? undefined : decideFleet(target, flags, io);
  const book = decided?.fleet.models ?? BUILT_IN_MODELS;
  const hardware = decided?.fleet.hardware ?? BUILT_IN_HARDWARE;
  const model = flags.modelConfig === undefined ? requireModel(name, book) : readOption(flags.modelConfig, name);
  const options = parseServingFlags(flags, model.positions);
  const added = flags.measured ? addResults({ model, options, decided, flags }, io) : [];
  const question = { model, options, measurements: [...book.measurements, ...added] };
  const rows = findRows(question, decided, hardware, flags);
  const { repository, positions } = model;
  const { context, concurrency } = options;
  const { currency } = hardware.prices;
  const fields = { model: repository, context, concurrency, currency, rows };
  const engine = [options.engine.name, ...(options.engine.version[1] > 0 ? [options.engine.version.join('.')] : [])];
  const report = { model: repository, context, positions, concurrency, engine: engine.join(' '), currency, rows };
  printResult<FitDocument>('Fit', fields, () => formatFit({ ...report, all: flags.all === true }), { flags, io });
  return EXIT.ok;
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
  const near = joinNames(nearestModels(name, book).map((one) => `'${one}'`));
  const hint = `The nearest are ${near}; 'fleetwright model add PATH' adds the model of a folder with a config.json`;
  throw commandError('unknown-model', name, 'unknown model', hint);
}

function findRows(
  question: FitQuestion,
  decided: DecidedFleet | undefined,
  hardware: Hardware,
  { gpu, tp }: FitFlags,
): FitRow[] {
  const size = tp === undefined ? undefined : parseCount('--tp', tp);
  const wanted = gpu === undefined ? undefined : requireGpu(gpu, size, hardware);
  const all = decided ? fleetHardware(decided) : wanted ? [wanted] : catalogueHardware(hardware);
  const nodes = wanted ? withGpu(all, wanted.gpu.name) : all;
  if (size !== undefined) return fitSize(question, nodes, size);
  return fitModel(question, nodes);
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

/** The layouts of one TP size. One that cannot divide the model is a row that says why. */
function fitSize(question: FitQuestion, hardware: readonly SizedHardware[], tp: number): FitRow[] {
  const { model } = question;
  const large = hardware.filter(({ gpusPerNode }) => gpusPerNode >= tp);
  if (large.length === 0) {
    const most = Math.max(0, ...hardware.map(({ gpusPerNode }) => gpusPerNode));
    throw commandError('bad-flag', '--tp', `no node has ${tp} GPUs`, `Use at most ${most}`);
  }
  return large.map((one) => fitRow(question, one, tensorLayout(model, tp))).sort(compareRows);
}

function requireGpu(name: string, tp: number | undefined, { catalogue }: Hardware): SizedHardware {
  const found = gpuHardware(name, tp === undefined ? undefined : Math.max(tp, 1), catalogue);
  if (found) return found;
  const known = gpuNames(catalogue);
  const hint = meantHint(suggestName(name, known), `Use one of ${joinNames(known)}`);
  throw commandError('unknown-hardware', '--gpu', `there is no GPU '${name}'`, hint);
}
