import { Workspace } from './cli';
import { AT_80, BOTH, cel, warned, write } from './warned';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const silencing = (annotations: string) => write(work, { classes: BOTH, request: cel(AT_80), annotations });

describe('a silence', () => {
  test('with a reason leaves the warning out and is noted', () => {
    silencing('{ fleetwright.dev/silence-marketing-size: only H200 will do }');
    const { warnings, notes } = JSON.parse(work.run('plan ./fleet.yaml --json').out);
    expect(warnings).toEqual([]);
    expect(notes).toEqual([
      'ModelDeployment ml/q silences marketing-size: only H200 will do',
      expect.stringMatching(/^EKS requires two zones/),
      expect.stringMatching(/^No client can reach ModelDeployment ml\/q: /),
    ]);
  });

  test('of another warning silences nothing', () => {
    silencing('{ fleetwright.dev/silence-no-device: really }');
    expect(warned(work)).toHaveLength(1);
  });

  test('without a reason is a warning more', () => {
    silencing('{ fleetwright.dev/silence-marketing-size: " " }');
    expect(warned(work)).toEqual([
      expect.stringMatching(/^marketing-size/),
      'bad-silence: an annotation that silences a warning needs a reason. Set its value to the reason.',
    ]);
  });

  test('of a warning that does not exist names the nearest', () => {
    silencing('{ fleetwright.dev/silence-marketing-sise: only H200 will do }');
    expect(warned(work)[1]).toBe("bad-silence: there is no warning 'marketing-sise' to silence. Use 'marketing-size'.");
  });
});
