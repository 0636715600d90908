import { join } from 'node:path';
import { userCache } from '../../user-cache';

/** The folder of these tests. */
export const HERE = join(__dirname, '..');

/** The Go module that pins Envoy Gateway. */
export const MODULE = join(HERE, 'gateway');

/** The file that pins Envoy. */
export const REQUIREMENTS = join(HERE, 'requirements.txt');

const { FLEETWRIGHT_ENVOY_CACHE } = process.env;

/** What runs of this checkout keep; ignored by git. */
export const CACHE = FLEETWRIGHT_ENVOY_CACHE ?? join(HERE, '.cache');

/** What is built and kept between runs, for all checkouts. */
export const BUILDS = FLEETWRIGHT_ENVOY_CACHE ?? userCache('builds');
