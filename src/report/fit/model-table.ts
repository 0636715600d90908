import { formatCount } from '../../base/figures';
import { formatCents } from '../../base/money';
import { pluralize } from '../../base/text';
import type { ModelRow } from '../../catalog/models/model-row';
import { weightsOf } from '../../sizing/weights';
import type { Block } from '../document/document';

const HEADINGS = ['MODEL', 'PARAMETERS', 'ACTIVE', 'ATTENTION', 'LAYERS', 'POSITIONS', 'STORED', 'WEIGHTS GiB'];

/** Formats models as a table. `~` marks weights that are computed from the parameters. */
export function formatModels(rows: readonly ModelRow[]): Block[] {
  return [
    { rows: [HEADINGS, ...rows.map(cellsOf)] },
    '',
    `${pluralize(rows.length, 'model')}. PARAMETERS: billions. ~ computed from the parameters. --yaml prints the rows with their sources.`,
    ...(rows.some(({ parameters }) => !parameters) ? [UNSTATED] : []),
    ...(rows.some(({ attention }) => attention.kind === 'unknown') ? [UNSIZED] : []),
  ];
}

const UNSTATED = '-: no source states it. WEIGHTS is the size of the files then, which is what fit counts with.';
const UNSIZED = 'ATTENTION unknown: fit cannot compute the KV cache of these models, and lists them as tight.';

function cellsOf(row: ModelRow): string[] {
  const { repository, parameters, attention, layers, positions, quantization } = row;
  const weights = weightsOf(row);
  return [
    repository,
    parameters ? String(parameters.total) : '-',
    parameters ? String(parameters.active) : '-',
    attention.kind,
    String(layers),
    formatCount(positions),
    quantization,
    weights ? `${weights.estimated ? '~ ' : ''}${formatCents(weights.totalGiB, 1)}` : '-',
  ];
}
