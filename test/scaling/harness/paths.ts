import { join } from 'node:path';

/** The root of the repository. */
export const ROOT = join(__dirname, '../../..');

/** The Go module of Prometheus. */
export const PROMETHEUS_MODULE = join(__dirname, '../prometheus');

/** The Go module of KEDA. */
export const KEDA_MODULE = join(__dirname, '../keda');

/** What is built and kept between runs; ignored by git. */
export const CACHE = process.env['FLEETWRIGHT_SCALING_CACHE'] ?? join(__dirname, '../.cache');
