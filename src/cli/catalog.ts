import { FleetwrightError } from '../errors';
import { classOf } from '../hardware/class-of-entry';
import { type Entry, entriesFor, wordsOf } from '../hardware/entries';
import { type Hardware, OUR_HARDWARE } from '../hardware/hardware';
import { canonicalDocument } from '../manifest/canonical';
import { nearest } from '../nearest';
import { formatCatalogue } from '../plan/catalogue-text';
import { formatDocuments } from '../render/yaml';
import { EXIT, type ExitCode } from './exit-code';
import { readFleet } from './inputs';
import { type Io, jsonDocument, type OutputFlags, styleFor } from './output';

export interface CatalogFlags extends OutputFlags {
  /** A fleet whose catalogue and prices count too. Default: none. */
  readonly fleet?: string;

  /** Print the classes that the rows stand for. */
  readonly yaml?: boolean;
}

/** `fleetwright catalog [QUERY]`: prints the hardware that classes can be made from. */
export function catalog(query: string, flags: CatalogFlags, io: Io): ExitCode {
  const hardware = flags.fleet === undefined ? OUR_HARDWARE : readFleet(flags.fleet, {}, io).fleet.hardware;
  const entries = entriesFor(query, hardware);
  if (entries.length === 0) throw unknown(query, hardware);
  io.out(textOf(entries, hardware, flags, io));
  return EXIT.ok;
}

function textOf(entries: readonly Entry[], hardware: Hardware, flags: CatalogFlags, io: Io): string {
  const { catalogue, prices } = hardware;
  if (flags.json) return jsonDocument('Catalogue', { currency: prices.currency, entries });
  if (flags.yaml) {
    const documents = entries.map((entry) => canonicalDocument(classOf(entry, catalogue)));
    return formatDocuments(documents, 'Written by fleetwright catalog.');
  }
  return `${formatCatalogue(entries, prices.currency, { style: styleFor(io, flags), width: io.width })}\n`;
}

function unknown(query: string, hardware: Hardware): FleetwrightError {
  const near = nearest(query, entriesFor('', hardware).flatMap(wordsOf));
  const hint = near
    ? `Did you mean '${near}'?`
    : "Leave the query out to see all of it, or ask for a GPU: 'h100'";
  return new FleetwrightError([
    { code: 'unknown-hardware', where: 'catalog', what: `nothing in the catalogue matches '${query}'`, hint },
  ]);
}
