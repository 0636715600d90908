import { formatDiagnostic } from '../../src/base/diagnostic';
import { readModelDefinition } from '../../src/engine/model-definition';
const good: Record<string, readonly [text: string, want: object]> = {
  'every field of a health check': [
    `models:
  - name: qwen3
    model_path: /models/qwen3
    service:
      start_command: [vllm, serve]
      port: 8000
      health_check:
        path: /health
        interval: 10.5
        max_retries: 10
        max_wait_time: 5.0
        expected_status_code: 204
        initial_delay: 60
`,
    {
      port: 8000,
      path: '/health',
      interval: '11s',
      unhealthyThreshold: 10,
      timeout: '5s',
      expectedStatuses: [204],
      initialDelay: '60s',
    },
  ],
  'times below a second': [
    'models: [{ service: { health_check: { path: /, interval: 0.2, max_wait_time: 0, initial_delay: 0 } } }]',
    { path: '/', interval: '1s', timeout: '1s', initialDelay: '0s' },
  ],
  'a check that is off, without a path': [
    'models: [{ service: { health_check: { enable: false } } }]',
    { enabled: false },
  ],
  'a port alone': ['models: [{ service: { port: 9000 } }]', { port: 9000 }],
  'a model that is no service': ['models: [{ name: qwen3 }]', {}],
};

const bad: Record<string, readonly [text: string, want: string]> = {
  'what is not YAML': [
    'models: [',
    "m.yaml:1:9: this '[' is not closed. Add the closing bracket, and indent the lines in between.",
  ],
  'an empty file': ['', 'm.yaml:1:1: the file is empty. Add content, or remove the reference to the file.'],
  'several models': [
    'models:\n  - name: a\n  - name: b\n',
    'm.yaml:3:5: the definition has 2 models, and a deployment serves one. Keep the one that it serves.',
  ],
  'no model': ['models: []', 'm.yaml:1:1: a list of 0 items is less than the minimum of 1. List at least 1 item.'],
  'a path without a slash': [
    'models: [{ service: { health_check: { path: health } } }]',
    "m.yaml:1:45: 'health' is not a path. Start with '/', as in '/health'.",
  ],
  'a check without a path': [
    'models: [{ service: { health_check: { interval: 5 } } }]',
    "m.yaml:1:23: the field 'path' is missing. Set the path, or set 'enable: false'.",
  ],
  'a status that is no success': [
    'models: [{ service: { health_check: { path: /, expected_status_code: 503 } } }]',
    'm.yaml:1:70: 503 is greater than the maximum of 399. Use at most 399.',
  ],
};

describe('a model definition', () => {
  test.each(Object.entries(good))('says %s', (_, [text, want]) => {
    expect(readModelDefinition({ path: 'm.yaml', text })).toEqual({ healthCheck: want });
  });

  test.each(Object.entries(bad))('is refused: %s', (_, [text, want]) => {
    const read = readModelDefinition({ path: 'm.yaml', text });
    expect('problems' in read && read.problems.map(formatDiagnostic)).toEqual([want]);
  });
});
