import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { modelCatalogueFile, modelRow } from '../api/model-catalogue-file';
import { tryParseJson } from '../base/json';
import { joinNames } from '../base/text';
import type { ModelRow } from '../catalog/models/model-row';
import { isFolder } from '../files/fleet-paths';
import { readTextFile, readTextFileIfExists } from '../files/read-file';
import { readDataFile } from '../manifest/data-file';
import { isRecord } from '../sizing/model-config-fields';
import { readModelConfig, totalSizeOf } from '../sizing/hugging-face-config';
import { FleetwrightError } from '../base/errors';
import { commandError } from './command-error';

const CONFIG = 'config.json';
const INDEX = 'model.safetensors.index.json';

/** A folder of the cache of Hugging Face: `models--OWNER--NAME/snapshots/COMMIT`. */
const CACHED = { folder: /^models--/, snapshots: 'snapshots', commit: /^[0-9a-f]{7,40}$/ };

/**
 * Makes the row of a model from a folder with a `config.json`, or from that file.
 *
 * @param name the repository. Default: that of the cache of Hugging Face, else the name of the folder
 * @throws FleetwrightError when the architecture is not known, or figures are missing
 */
export function readModelFolder(path: string, name?: string): ModelRow {
  const file = isFolder(path) ? join(path, CONFIG) : path;
  const config = tryParseJson(readTextFile(file));
  if (!isRecord(config)) {
    throw commandError('unknown-architecture', file, 'this is not a JSON object', `Use a folder with a ${CONFIG}`);
  }
  return rowOfConfig(config, file, name);
}

/** The repository and the commit of a folder of the cache of Hugging Face. Empty for other folders. */
function readCachePath(folder: string): { owner?: string; model?: string; revision?: string } {
  const [repository = '', snapshots, revision = ''] = folder.split(/[/\\]/).slice(-3);
  if (!CACHED.folder.test(repository) || snapshots !== CACHED.snapshots || !CACHED.commit.test(revision)) return {};
  const [, owner, ...rest] = repository.split('--');
  return owner === undefined || rest.length === 0 ? {} : { owner, model: rest.join('--'), revision };
}

function rowOfConfig(config: Readonly<Record<string, unknown>>, file: string, name?: string): ModelRow {
  const folder = dirname(resolve(file));
  const { owner, model, revision } = readCachePath(folder);
  const repository = name ?? (owner && model ? `${owner}/${model}` : basename(folder));
  const weightBytes = totalSizeOf(tryParseJson(readTextFileIfExists(join(folder, INDEX)) ?? ''));
  const source = weightBytes === undefined ? CONFIG : `${CONFIG} and ${INDEX}`;
  const read = readModelConfig(config, { repository, source, asOf: dayOf(file), weightBytes });
  if ('row' in read) return { ...read.row, ...(revision !== undefined && name === undefined && { revision }) };
  if ('architecture' in read) {
    const what = `the attention of architecture '${read.architecture}' is not known`;
    const hint = 'Add a row with its attention, layers, positions, quantization and weightsGiB to a model catalog';
    throw commandError('unknown-architecture', file, what, hint);
  }
  const what = `the row lacks ${joinNames(read.missing)}`;
  throw commandError('unknown-architecture', file, what, 'Add them to the folder, or add the row to a model catalog');
}

/**
 * Reads the row of `--model-config`: a `config.json` of Hugging Face, a row, or a model catalog.
 *
 * @throws FleetwrightError for any other content
 */
export function readModelOption(path: string, name: string): ModelRow {
  if (isFolder(path)) return readModelFolder(path, name);
  const text = readTextFile(path);
  const config = tryParseJson(text);
  if (isRecord(config) && ('architectures' in config || 'model_type' in config)) return rowOfConfig(config, path, name);
  const isCatalogue = text.split('\n').some((line) => CATALOGUE_LINE.test(line.trimStart()));
  return isCatalogue ? rowOfCatalogue(path, text, name) : rowOfText(path, text, name);
}

/** The field of a model catalog that lists rows. */
const CATALOGUE_LINE = /^\{? ?["']?models["']? ?:/;

/** A row alone need not say what it is called, nor where it comes from, nor what sizing can do without. */
const bareRow = modelRow.partial({
  repository: true,
  source: true,
  asOf: true,
  positions: true,
  quantization: true,
});

/** The positions of a row that does not state them: no context is too long. */
const ANY_POSITIONS = 1_000_000_000;

function rowOfText(path: string, text: string, name: string): ModelRow {
  const read = readDataFile({ path, text }, bareRow);
  if ('problems' in read) throw new FleetwrightError(read.problems);
  const { source = path, asOf = dayOf(path), positions = ANY_POSITIONS, quantization = 'bf16', ...rest } = read.value;
  return { ...rest, repository: name, source, asOf, positions, quantization };
}

function rowOfCatalogue(path: string, text: string, name: string): ModelRow {
  const complete = modelCatalogueFile.extend({ models: modelRow.array().min(1) });
  const read = readDataFile({ path, text }, complete);
  if ('problems' in read) throw new FleetwrightError(read.problems);
  const { models } = read.value;
  const found = models.find(({ repository }) => repository === name);
  if (found) return found;
  const names = joinNames(models.map(({ repository }) => repository));
  throw commandError('unknown-model', path, `it has no model '${name}'`, `Known models: ${names}`);
}

/** The day on which a file was written. */
function dayOf(path: string): string {
  return statSync(path).mtime.toISOString().slice(0, 'yyyy-mm-dd'.length);
}
