import { spawnSync } from 'node:child_process';
import { readManifests, resolveFleet } from '../../src/files/read-fleet';
import { assemble } from '../../src/fleet/fleet';
import { decide } from '../../src/plan/decide';
import { releasesOf } from '../../src/provision/releases/cluster-releases';
import { EMPTY_LOCK } from '../../src/scheduler/lock/lock';

test('without the command of Pulumi the test on the real engine says that it is skipped, and fails nothing', () => {
  const env = { ...process.env, PATH: '/nowhere' };
  const { status, stdout } = spawnSync(process.execPath, ['test/pulumi/run.mjs'], { env, encoding: 'utf8' });
  expect({ status, stdout }).toEqual({
    status: 0,
    stdout: 'skipped: there is no pulumi command on the path, so nothing was run on the real engine\n',
  });
});

test('its fleet is sound, and installs nothing that needs a cluster', () => {
  const { fleet, locate, resources } = resolveFleet(readManifests('test/pulumi/program/fleet', {}));
  expect(decide(fleet, locate, EMPTY_LOCK).schedule.placements).toHaveLength(2);
  expect(assemble(resources).clusters.flatMap((one) => releasesOf(one, fleet))).toEqual([]);
});
