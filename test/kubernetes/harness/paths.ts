import { join } from 'node:path';

/** The folder of these tests. */
export const HERE = join(__dirname, '..');

/** The Go module of the control plane. */
export const MODULE = join(HERE, 'controlplane');

/** What is built and kept between runs; ignored by git. */
export const CACHE = process.env['FLEETWRIGHT_KUBERNETES_CACHE'] ?? join(HERE, '.cache');

/** The root of the repository. */
export const ROOT = join(HERE, '../..');

/** CustomResourceDefinitions of kinds that no Go module brings. */
export const CRDS = join(ROOT, 'test/crds');
