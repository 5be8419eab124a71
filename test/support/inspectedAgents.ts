/** Agents whose messages the inspector shows in tests. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ProtocolSchema } from '../../src/acp/inspector/frameSchema';
import { type AgentTrace, Traces } from '../../src/acp/trace/traces';
import { InspectorModel } from '../../src/application/inspector/inspectorModel';
import type { ToInspectorPage } from '../../src/core/inspector/inspectorPage';
import { systemClock } from '../../src/util/clock';
import { englishVerbatim } from '../unit/application/english';

export const SECRET = 'plum-tree-4711';

/** The schema as it is built: see build/schemas.mjs. */
export function readSchema(version: 1 | 2): ProtocolSchema {
  const file = path.resolve(`node_modules/@agentclientprotocol/sdk/schema/v${version}/schema.unstable.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as ProtocolSchema;
}

const clock = (start: number) => {
  let now = start;
  return { now: () => now, pass: (ms: number) => (now += ms) };
};

/** An agent behind two proxies: a start, a turn with a file, an error, a wrong update, and lines that are no messages. */
export function inspectedTraces(start = new Date(2026, 10, 27, 9, 30).getTime()): Traces {
  const time = clock(start);
  const traces = new Traces(time);
  const hops = ['context', 'filter', 'Goose'];
  const { trace, hops: programs } = traces.add({
    agentId: 'goose',
    agentName: 'Goose',
    commandLine: 'goose acp',
    cwd: '/home/ada/sample',
    hops,
    secrets: () => [SECRET],
  });
  const json = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });
  const ask = (id: number, method: string, params: object, ms: number, answer: object): void => {
    const request = json({ id, method, params });
    trace.sent(request);
    const wrapped = json({ id: 40 + id, method: 'proxy/successor', params: { method, params } });
    const isStart = method === 'initialize';
    programs[0]!.sent(isStart ? json({ id, method: 'proxy/initialize', params }) : request);
    time.pass(1);
    programs[0]!.received(wrapped);
    programs[1]!.sent(isStart ? json({ id, method: 'proxy/initialize', params }) : request);
    programs[1]!.received(wrapped);
    programs[2]!.sent(request);
    time.pass(ms);
    const response = json({ id, ...answer });
    programs[2]!.received(response);
    programs[1]!.received(response);
    programs[0]!.received(response);
    trace.received(response);
    time.pass(5);
  };
  const update = (value: object): void => trace.received(json({ method: 'session/update', params: { sessionId: 's-1', update: value } }));
  ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'acp-host', version: '1' } }, 120, {
    result: { protocolVersion: 1, agentCapabilities: {}, agentInfo: { name: 'goose', version: '2.0.0' } },
  });
  ask(2, 'session/new', { cwd: '/home/ada/sample', mcpServers: [] }, 40, { result: { sessionId: 's-1' } });
  trace.stderr('goose: listening on stdio');
  ask(3, 'session/prompt', { sessionId: 's-1', prompt: [{ type: 'text', text: `Use ${SECRET}, please` }] }, 30, {
    error: { code: -32000, message: 'Sign in first' },
  });
  update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello' } });
  update({ sessionUpdate: 'tool_call', toolCallId: 7, title: 'Read', status: 'sleeping', shade: 'green' });
  trace.noise('npm warn deprecated');
  programs[1]!.stderr('filter: 1 message changed');
  trace.received(json({ id: 'r-1', method: 'fs/read_text_file', params: { sessionId: 's-1', path: '/home/ada/sample/a.ts' } }));
  time.pass(8);
  trace.sent(json({ id: 'r-1', result: { content: 'export const a = 1;\n' } }));
  return traces;
}

/** Adds an agent with many messages. */
export function addBusyAgent(traces: Traces, count: number): AgentTrace {
  const { trace } = traces.add({ agentId: 'busy', agentName: 'Busy', commandLine: 'busy', cwd: '/b', secrets: () => [] });
  for (let index = 0; index < count; index++) {
    const content = { type: 'text', text: `word ${index}` };
    trace.received(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'session/update',
        params: { sessionId: 's', update: { sessionUpdate: 'agent_message_chunk', content } },
      }),
    );
  }
  return traces.all.at(-1)!;
}

export interface InspectedHost {
  readonly model: InspectorModel;
  readonly done: string[];
}

/** The host side of a page. */
export function inspectorHost(traces: Traces, send: (message: ToInspectorPage) => void): InspectedHost {
  const done: string[] = [];
  const model = new InspectorModel({
    traces,
    clock: systemClock,
    t: englishVerbatim,
    language: 'en-GB',
    active: () => ({ agentId: 'goose', cwd: '/home/ada/sample' }),
    schema: (version) => Promise.resolve(readSchema(version)),
    send,
    replay: ({ agentName }) => done.push(`replay ${agentName}`),
    export: ({ agentName }) => done.push(`export ${agentName}`),
    copy: async (text) => void done.push(`copy ${text}`),
  });
  return { model, done };
}
