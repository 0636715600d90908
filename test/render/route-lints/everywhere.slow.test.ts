import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from '../../../src/manifest/kubernetes/manifest';
import { GATEWAYS_FILE } from '../../../src/manifest/kubernetes/object-names';
import { renderCluster } from '../../../src/render/cluster';
import { lintRoutes } from '../../../src/render/route-lints/lint-routes';
import { decided } from '../../routing/build';
import { routedFleet } from '../../routing/fleets';
import { FEW_UNLUCKY, unlessUnlucky } from '../../routing/unlucky';
import { daily } from '../../daily';

/** The folders of clusters of examples that have routes. */
const clusters = readdirSync('examples', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith(GATEWAYS_FILE))
  .map((path) => dirname(join('examples', path)))
  .sort();

test.each(clusters)('%s lets no one in without a key or a certificate', (folder) => {
  const manifests = readdirSync(folder).flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((one) => one.toJS() as Manifest),
  );
  expect(lintRoutes(manifests)).toEqual([]);
});

test('generated fleets let no one in without a key or a certificate, and refer to nothing that is not there', () => {
  let routes = 0;
  fc.assert(
    fc.property(routedFleet, (resources) => {
      const { fleet, replicas, routing } = unlessUnlucky(() => decided(...resources.slice(1)));
      for (const cluster of fleet.clusters) {
        const manifests = renderCluster(cluster, replicas, { fleet, routing });
        routes += manifests.filter(({ kind }) => kind === 'HTTPRoute').length;
        expect(lintRoutes(manifests)).toEqual([]);
      }
    }),
    { numRuns: daily(32), ...FEW_UNLUCKY },
  );
  // So many that the property is no empty one.
  expect(routes).toBeGreaterThan(100);
});
