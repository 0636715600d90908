import { clusterLabelsOf } from '../../api/cluster-labels';
import { REGION_LABEL } from '../../api/labels';
import { suggestName } from '../../base/name-suggestion';
import { BUILT_IN_HARDWARE, type Hardware } from '../../fleet/hardware/hardware';
import {
  type CatalogueEntry,
  findCatalogueEntries,
  searchTermsOf,
  toInferenceClass,
} from '../../fleet/hardware/search-catalogue';
import { toCanonicalDocument } from '../../manifest/canonical-document';
import { formatDocuments } from '../../manifest/format-yaml';
import { formatInstanceTypes } from '../../report/instance-types-table';
import { commandError, meantHint } from '../command-error';
import { EXIT, type ExitCode } from '../exit-code';
import { formatBlocks, formatJsonDocument, type Io, type OutputFlags } from '../output';
import { readFleet } from '../read-inputs';

export interface CatalogFlags extends OutputFlags {
  readonly fleet?: string;
  readonly yaml?: boolean;
}

/** `fleetwright catalog [QUERY]`: prints the hardware that classes can be made from. */
export function runCatalog(query: string, flags: CatalogFlags, io: Io): ExitCode {
  const { hardware, clusters } =
    flags.fleet === undefined ? { hardware: BUILT_IN_HARDWARE, clusters: [] } : readFleet(flags.fleet, {}, io).fleet;
  const entries = findCatalogueEntries(query, hardware);
  if (entries.length === 0) {
    const near = suggestName(query, findCatalogueEntries('', hardware).flatMap(searchTermsOf));
    const hint = meantHint(near, "Omit the query to see everything, or search for a GPU: 'h100'");
    throw commandError('unknown-hardware', 'catalog', `nothing in the catalog matches '${query}'`, hint);
  }
  const regions = new Set(clusters.flatMap((cluster) => clusterLabelsOf(cluster)[REGION_LABEL] ?? []));
  io.out(formatEntries(entries, { hardware, regions }, flags, io));
  return EXIT.ok;
}

interface Shown {
  readonly hardware: Hardware;

  /** The regions of the clusters of the fleet. */
  readonly regions: ReadonlySet<string>;
}

function formatEntries(
  entries: readonly CatalogueEntry[],
  { hardware: { catalogue, prices }, regions }: Shown,
  flags: CatalogFlags,
  io: Io,
): string {
  if (flags.json) return formatJsonDocument('Catalog', { currency: prices.currency, entries });
  if (flags.yaml) {
    const documents = entries.map((entry) => toCanonicalDocument(toInferenceClass(entry, catalogue)));
    return formatDocuments(documents, 'Written by fleetwright catalog.');
  }
  return formatBlocks(formatInstanceTypes(entries, prices.currency, regions), { flags, io });
}
