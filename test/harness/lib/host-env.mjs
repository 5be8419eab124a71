// The environment of the suite in the extension host, for both of its runners.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptedAgent } from './bundle.mjs';

/** The environment of the extension host: mocha's output, the tests to run, and the agent to start. */
export function hostEnv({ output, summary, grep }) {
  return {
    ACP_HOST_MOCHA_OUTPUT: output,
    ACP_HOST_MOCHA_JSON: summary,
    ACP_HOST_MOCHA_REPORTER: join(dirname(fileURLToPath(import.meta.url)), 'mocha-reporter.cjs'),
    ACP_HOST_MOCHA_GREP: grep || undefined,
    ACP_HOST_SCRIPTED_AGENT: scriptedAgent,
    ACP_HOST_TEST_NODE: process.execPath,
  };
}
