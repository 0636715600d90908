import type { ResourcePath } from '../../api/kinds';
import type { ModelDeployment } from '../../api/model-deployment';
import type { ServedModelSpec } from '../../api/served-model';
import { type Diagnostic, errorAt } from '../../base/diagnostic';
import { formatCount } from '../../base/figures';
import { suggestName } from '../../base/name-suggestion';
import { joinNames } from '../../base/text';
import type { ModelRow, Quantization } from '../../catalog/models/model-row';
import { ENGINE_PROFILES } from '../../catalog/engines/profiles';
import type { Fleet } from '../../fleet/fleet';
import { commandOfAddition } from '../../fleet/models/model-addition';
import { BUILT_IN_MODELS, findModel, type ModelBook, findNearestModels } from '../../fleet/models/model-book';

/** The row that a deployment serves, and how. */
export interface ChosenModel {
  readonly row: ModelRow;
  readonly context: number;
  readonly revision?: string;

  /** What the engine converts the weights to as it loads them. Absent: nothing. */
  readonly converted?: Quantization;
}

type Chosen = ChosenModel | { readonly problem: Diagnostic<ResourcePath> };

/** Finds the row of the model of a deployment, in the wanted format. */
export function chooseModel(resource: ModelDeployment, spec: ServedModelSpec, fleet: Fleet): Chosen {
  const fault = (field: string, what: string, hint: string): Chosen => ({
    problem: errorAt('contradiction', { resource, path: ['spec', 'model', field] }, what, hint),
  });
  const { models: book = BUILT_IN_MODELS } = fleet;
  const declared = findModel(spec.repository, book);
  if (!declared) return { problem: describeUnknownModel(resource, spec.repository, book) };
  const unknown = findUnknownClass(resource, spec, fleet);
  if (unknown) return { problem: unknown };
  const { title, derived } = ENGINE_PROFILES[spec.engine];
  const format = chooseFormat(declared, spec.quantization, { book, converts: derived?.converts ?? [] });
  if (!format) {
    const what = `no row has ${declared.repository} in ${spec.quantization}, and ${title} does not convert ${declared.quantization} to it`;
    const hint = `Name the repository that has it, or leave 'quantization' out: it is ${declared.quantization} then`;
    return fault('quantization', what, hint);
  }
  const misfit = findMisfit(declared, format.row, spec);
  if (misfit) return fault(...misfit);
  const { row } = format;
  const revision = spec.revision ?? (row === declared ? row.revision : undefined);
  return { ...format, context: spec.context ?? row.positions, ...(revision !== undefined && { revision }) };
}

type Misfit = readonly [field: string, what: string, hint: string];

/** What of a spec a row does not have. */
function findMisfit(declared: ModelRow, row: ModelRow, { revision, context }: ServedModelSpec): Misfit | undefined {
  if (row !== declared && revision !== undefined) {
    const what = `the revision is one of ${declared.repository}, and ${row.repository} has the weights in ${row.quantization}`;
    return ['revision', what, `Name ${row.repository} as the repository`];
  }
  if (context !== undefined && context > row.positions) {
    const what = `${formatCount(context)} tokens are more than the ${formatCount(row.positions)} of ${row.repository}`;
    return ['context', what, `Write at most ${row.positions}`];
  }
  if (row.attention.kind !== 'unknown') return undefined;
  const what = `the memory of ${row.repository} cannot be computed: ${row.attention.note}`;
  return ['repository', what, 'Write its engines at spec.template.spec.engines'];
}

interface Formats {
  readonly book: ModelBook;
  readonly converts: readonly string[];
}

/** The row that has a format: the model itself, a repository of the same name with the format behind it, or converted. */
function chooseFormat(
  row: ModelRow,
  wanted: Quantization | undefined,
  { book, converts }: Formats,
): Pick<ChosenModel, 'row' | 'converted'> | undefined {
  if (wanted === undefined || wanted === row.quantization) return { row };
  const other = findModel(`${row.repository}-${wanted}`, book);
  if (other?.quantization === wanted) return { row: other };
  return row.quantization === 'bf16' && converts.includes(wanted) ? { row, converted: wanted } : undefined;
}

function describeUnknownModel(resource: ModelDeployment, name: string, book: ModelBook): Diagnostic<ResourcePath> {
  const at = { resource, path: ['spec', 'model', 'repository'] };
  const nearest = joinNames(findNearestModels(name, book));
  const hint = `The nearest are ${nearest}. To add it, run ${commandOfAddition(name)}`;
  return errorAt('unknown-model', at, `the model catalog has no row '${name}'`, hint);
}

function findUnknownClass(
  resource: ModelDeployment,
  { hardware = [] }: ServedModelSpec,
  { classes }: Fleet,
): Diagnostic<ResourcePath> | undefined {
  const known = classes.map(({ metadata }) => metadata.name);
  const index = hardware.findIndex((name) => !known.includes(name));
  const name = hardware[index];
  if (name === undefined) return undefined;
  const meant = suggestName(name, known);
  const hint = meant ? `Use '${meant}'` : 'Declare it, or name another';
  const at = { resource, path: ['spec', 'model', 'hardware', index] };
  return errorAt('unknown-reference', at, `there is no InferenceClass '${name}'`, hint);
}
