/** One request for devices, and what both sides answer to it. */
export interface Row {
  readonly count: number;
  readonly cel: string;

  /** What we say at plan time. */
  readonly ours: RegExp;

  /** What the API server says to the claim template; nothing where it accepts it. */
  readonly refused?: RegExp;

  /** What the scheduler says of a pod with an accepted claim; nothing where it binds it. */
  readonly pending?: RegExp;

  /** The count that comes back where it is another. */
  readonly storedCount?: number;
}

const A = 'device.attributes["gpu.nvidia.com"]';
const LIST = `[${Array.from({ length: 100 }, (_, i) => i).join()}]`;

/** What is wrong though Kubernetes accepts it, or finds it only when a pod waits for it; then its limits. */
export const ROWS: Readonly<Record<string, Row>> = {
  'a request for no devices becomes one for one device': {
    count: 0,
    cel: 'true',
    ours: /count/,
    storedCount: 1,
  },
  'a claim of more than 32 devices is never allocated': {
    count: 33,
    cel: 'true',
    ours: /a claim of 33 devices/,
    pending: /exceeds the claim limit of 32/,
  },
  'a selector that gives a text stops the scheduling of its pod': {
    count: 1,
    cel: `${A}.architecture`,
    ours: /of type string, not bool/,
    pending: /CEL result of type string could not be converted to bool/,
  },
  'a selector that gives a number stops the scheduling of its pod': {
    count: 1,
    cel: `${A}.index`,
    ours: /of type int, not bool/,
    pending: /CEL result of type int could not be converted to bool/,
  },
  'a comparison of a text with a number fails when it runs': {
    count: 1,
    cel: `${A}.architecture > 5`,
    ours: /'architecture' is a text, and 5 is a whole number/,
    pending: /no such overload/,
  },
  'a version compared with a text fails when it runs': {
    count: 1,
    cel: `${A}.cudaComputeCapability == "9.0.0"`,
    ours: /'cudaComputeCapability' is a version, and "9.0.0" is a text/,
    pending: /no such overload/,
  },
  'an attribute that no device has, without a guard, fails when it runs': {
    count: 1,
    cel: `${A}.profile == "x"`,
    ours: /no such key: profile/,
    pending: /no such key: profile/,
  },
  'an attribute of a domain that no device has fails when it runs': {
    count: 1,
    cel: 'device.attributes["gpu.example.com"].profile == "x"',
    ours: /no device publishes attributes or capacities of 'gpu.example.com'/,
    pending: /no such key: profile/,
  },
  'a selector that is a text by its own type is refused by both': {
    count: 1,
    cel: 'device.driver',
    ours: /must evaluate to bool/,
    refused: /must evaluate to bool/,
  },
  'a function behind a feature gate that is off is refused by both': {
    count: 1,
    cel: `${A}.architecture.includes("Hopper")`,
    ours: /includes/,
    refused: /includes/,
  },
  'a comparison of unknown cost is refused by both': {
    count: 1,
    cel: 'device.capacity["gpu.nvidia.com"].memory != quantity("1Gi")',
    ours: /the size of a value in it has no bound/,
    refused: /too complex, exceeds cost limit/,
  },
  'a selector of more than 10 KiB is refused by both': {
    count: 1,
    cel: `true || "${'x'.repeat(10_240)}" == ""`,
    ours: /at most 10240|10,?240/,
    refused: /[Tt]oo long|may not be more than 10240/,
  },
  'a selector that costs too much is refused by both': {
    count: 1,
    cel: `${LIST}.all(a, ${LIST}.all(b, ${LIST}.all(c, a + b + c < 1000)))`,
    ours: /steps|cost/,
    refused: /too complex, exceeds cost limit/,
  },
};
