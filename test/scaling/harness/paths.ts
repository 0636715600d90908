import { join } from 'node:path';
import { userCache } from '../../user-cache';

/** The root of the repository. */
export const ROOT = join(__dirname, '../../..');

/** The Go module of Prometheus. */
export const PROMETHEUS_MODULE = join(__dirname, '../prometheus');

/** The Go module of KEDA. */
export const KEDA_MODULE = join(__dirname, '../keda');

const { FLEETWRIGHT_SCALING_CACHE } = process.env;

/** What runs of this checkout keep; ignored by git. */
export const CACHE = FLEETWRIGHT_SCALING_CACHE ?? join(__dirname, '../.cache');

/** What is built and kept between runs, for all checkouts. */
export const BUILDS = FLEETWRIGHT_SCALING_CACHE ?? userCache('builds');
