/** Proxies between the client and the agents of scenarios: `ACP_HOST_TEST_PROXIES=3` runs the tier through three of them. */
import path from 'node:path';
import type { ProxyLaunch } from '../../../src/core/model/agentLaunch';
import { COMMAND } from './agents';

/** A proxy that passes everything on: see test/agent/scripted/proxy.mjs. */
const PROXY = path.resolve('test/agent/scripted/proxy.mjs');

/** Launches that proxy. `words`: the methods that it knows. `mode`: what it does wrong. */
export function testProxy(name: string, options: { readonly words?: string; readonly mode?: string } = {}): ProxyLaunch {
  const { words = 'current', mode = '' } = options;
  return { name, command: COMMAND, args: [PROXY, '--words', words, '--mode', mode], env: {} };
}

/** Three proxies, each with another form of the methods. Two count their requests as the client does, so their ids are equal. */
export const THREE_PROXIES: readonly ProxyLaunch[] = [
  testProxy('first', { words: 'current' }),
  testProxy('second', { words: 'underscored' }),
  testProxy('third', { words: 'separate', mode: 'text-ids' }),
];

const COUNT = Number(process.env['ACP_HOST_TEST_PROXIES'] ?? 0);

/** The proxies of every scenario in this run. */
export const RUN_PROXIES: { readonly proxies?: readonly ProxyLaunch[] } = COUNT > 0 ? { proxies: THREE_PROXIES.slice(0, COUNT) } : {};
