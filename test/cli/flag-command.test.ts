import { Workspace } from './cli';

let work: Workspace;
beforeEach(() => {
  work = new Workspace();
});
afterEach(() => work.remove());

const COUNT = "Write a whole number: '32768', '32k' for 32,000 or '32K' for 32,768.";
const HELP = '(--help shows every command and flag)';
const NOT_A_FILE = "'-' is not a file or folder to write to. Use a path, or './-' for a file of that name.";

const rows: Record<string, { args: string; want: string[] }> = {
  'one unknown flag is reported as before': {
    args: 'lock --frm HEAD',
    want: ["error: unknown option '--frm'", '(Did you mean --from?)', HELP],
  },
  'all unknown flags are reported at once': {
    args: 'plan ./ --foo --frm HEAD',
    want: ["error: unknown option '--foo'", "error: unknown option '--frm' (Did you mean --from?)", HELP],
  },
  'a flag of another command names the command': {
    args: 'survive ./ --lose us',
    want: ["error: unknown option '--lose' (a flag of what-if)", HELP],
  },
  'so are values that a flag does not accept, and missing ones': {
    args: 'plan ./ --annotations gitlub --save=- --from',
    want: [
      "error: option '--annotations <ci>' argument 'gitlub' is invalid. Allowed choices are github.",
      `--save: ${NOT_A_FILE}`,
      "error: option '--from <revision>' argument missing",
      HELP,
    ],
  },
  'values of short flags are read as commander does': {
    args: 'synth ./ -o- -x -o -',
    want: [`--out: ${NOT_A_FILE}`, "error: unknown option '-x'", `--out: ${NOT_A_FILE}`, HELP],
  },
  'values that the command rejects are reported next to an unknown flag': {
    args: 'fit Qwen/Qwen3-8B --bogus --context foo',
    want: [
      "error: unknown option '--bogus'",
      `--context: 'foo' is not a whole number from 1 to 1000000000. ${COUNT}`,
      HELP,
    ],
  },
  'all values that fit rejects are reported at once, with an unknown model': {
    args: 'fit Qwen/Quen3-8B --context foo --gpu h20x --tp two --input-tokens 5',
    want: [
      `--context: 'foo' is not a whole number from 1 to 1000000000. ${COUNT}`,
      "--gpu: there is no GPU 'h20x'. Did you mean 'h200'?",
      "--input-tokens: a load also needs --requests-per-second and --output-tokens. Name all three: '--requests-per-second 20 --input-tokens 1000 --output-tokens 200'.",
      `--tp: 'two' is not a whole number from 1 to 1000000000. ${COUNT}`,
      expect.stringMatching(/^Qwen\/Quen3-8B: unknown model\./) as string,
    ],
  },
  'all flags of plan that exclude or need others are reported at once': {
    args: 'plan ./ --markdown --graph --no-waves',
    want: [
      '.: --graph and --markdown exclude each other. Remove one of the two.',
      '.: --markdown and --no-waves need --against. Add --against REVISION.',
    ],
  },
  'all values that init rejects are reported at once': {
    args: 'init ./new --clouds moon --ci jenkinss',
    want: [
      "--ci: 'jenkinss' is not known. Use one of github, gitlab, none.",
      "--clouds: 'moon' is not known. Use one of gke, eks, aks, existing.",
    ],
  },
  'flags behind -- are no flags': {
    args: 'fit -- --foo --bar',
    want: [expect.stringMatching(/./) as string],
  },
};

test.each(Object.entries(rows))('%s', (_, { args, want }) => {
  const { code, err } = work.run(args);
  expect(err.trimEnd().split('\n')).toEqual(want);
  expect(code).toBe(1);
});

test('--help wins over errors of other flags', () => {
  const { code, out } = work.run('plan --help --foo --bar');
  expect([code, out.split('\n')[0]]).toEqual([0, 'Usage: fleetwright plan [options] [dir]']);
});
