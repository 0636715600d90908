import { join } from 'node:path';
import { userCache } from '../../user-cache';

/** The folder of these tests. */
export const HERE = join(__dirname, '..');

/** The Go module of the control plane. */
export const MODULE = join(HERE, 'controlplane');

const { FLEETWRIGHT_KUBERNETES_CACHE } = process.env;

/** What runs of this checkout keep; ignored by git. */
export const CACHE = FLEETWRIGHT_KUBERNETES_CACHE ?? join(HERE, '.cache');

/** What is built and kept between runs, for all checkouts. */
export const BUILDS = FLEETWRIGHT_KUBERNETES_CACHE ?? userCache('builds');

/** The root of the repository. */
export const ROOT = join(HERE, '../..');

/** CustomResourceDefinitions of kinds that no Go module brings. */
export const CRDS = join(ROOT, 'test/crds');
