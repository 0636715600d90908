import { join } from 'node:path';

/** The folder of these tests. */
export const HERE = join(__dirname, '..');

/** The Go module that pins Envoy Gateway. */
export const MODULE = join(HERE, 'gateway');

/** The file that pins Envoy. */
export const REQUIREMENTS = join(HERE, 'requirements.txt');

/** What is built and kept between runs; ignored by git. */
export const CACHE = process.env['FLEETWRIGHT_ENVOY_CACHE'] ?? join(HERE, '.cache');
