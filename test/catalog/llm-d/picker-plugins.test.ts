import { buildPickerConfig } from '../../../src/catalog/llm-d/endpoint-picker';

const scorers = [
  { pluginRef: 'prefix-cache-scorer', weight: 3 },
  { pluginRef: 'queue-scorer', weight: 2 },
  { pluginRef: 'kv-cache-utilization-scorer', weight: 2 },
];

describe('the plugins of an endpoint picker', () => {
  const whole = buildPickerConfig({ mode: 'Unified', blockSize: 32 });
  const pair = buildPickerConfig({ mode: 'PrefillDecode', blockSize: 128 });
  const parametersOf = (type: string) => pair.plugins.find((one) => one.type === type)?.parameters;

  test('count by the blocks of the engine, as no one tells it by itself', () => {
    expect(whole.plugins[0]).toEqual({
      type: 'approx-prefix-cache-producer',
      parameters: {
        autoTune: false,
        blockSizeTokens: 32,
        maxPrefixBlocksToMatch: 256,
        lruCapacityPerServer: 31_250,
      },
    });
    expect(parametersOf('approx-prefix-cache-producer')).toMatchObject({ blockSizeTokens: 128 });
  });

  test('weigh what is cached, what waits and how full a pod is', () => {
    expect(whole.schedulingProfiles).toEqual([
      { name: 'default', plugins: [{ pluginRef: 'max-score-picker' }, ...scorers] },
    ]);
  });

  test('choose a pod for each phase of a pair', () => {
    const best = { pluginRef: 'max-score-picker' };
    expect(pair.schedulingProfiles).toEqual([
      { name: 'prefill', plugins: [{ pluginRef: 'prefill-filter' }, best, ...scorers] },
      { name: 'decode', plugins: [{ pluginRef: 'decode-filter' }, best, ...scorers] },
    ]);
  });

  test('use the engine for prefill for what is new in a prompt', () => {
    expect(parametersOf('disagg-profile-handler')).toEqual({
      deciders: { prefill: 'prefix-based-pd-decider' },
    });
    expect(parametersOf('prefix-based-pd-decider')).toEqual({ nonCachedTokens: 16 });
  });

  test.each([
    ['whole requests', whole],
    ['a pair', pair],
  ])('of %s stand there before profiles refer to them', (_, { plugins, schedulingProfiles }) => {
    const types = plugins.map(({ type }) => type);
    const used = schedulingProfiles.flatMap((profile) => profile.plugins.map(({ pluginRef }) => pluginRef));
    expect(types).toEqual([...new Set(types)]);
    expect(used.filter((one) => !types.includes(one))).toEqual([]);
  });
});
