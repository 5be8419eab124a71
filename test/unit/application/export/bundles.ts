/** Makes a bundle of a journal, and reads it back. */
import { Redaction } from '../../../../src/acp/redaction/redact';
import { LOGGED_V1 } from '../../../../src/acp/v1/clientFrames';
import { LogReplay } from '../../../../src/acp/replay/replay';
import { secretValues } from '../../../../src/acp/redaction/secretValues';
import type { EventInput } from '../../../../src/core/model/event';
import { reduce } from '../../../../src/core/reduce/reduce';
import { EMPTY_STATE } from '../../../../src/core/model/state';
import { anonymous } from '../../../../src/application/export/anonymize';
import { bundleLines } from '../../../../src/application/export/exportBundle';
import { chunk, output } from '../../../support/events';

export const header = { acpHostJournal: 1, key: 'k', agentName: 'Fake', cwd: '/home/ada/w', createdAt: 1 };

export const journal = (...events: EventInput[]): string[] => [
  JSON.stringify(header),
  ...events.map((event, seq) => JSON.stringify({ seq, event: { ...event, at: 1000 + seq } })),
];

export async function* from(lines: readonly string[]): AsyncIterable<string> {
  yield* lines;
}

export const ada = { home: '/home/ada', userName: 'ada', hostName: 'adas-engine.example.org' };

export const facts = { vscode: '1.2.3', extension: '0.1.0', platform: 'linux x64', agentInfo: { name: 'fake', version: '9' } };

export async function bundle(lines: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const result: string[] = [];
  for await (const line of bundleLines(from(lines), facts, new Redaction(secretValues(env), anonymous(ada)))) {
    result.push(line);
  }
  return result.join('');
}

export const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, never>);

export const say = (words: string, messageId = '1', role: 'agent' | 'user' | 'thought' = 'agent') => chunk(words, messageId, role);

export const prints = output;

/** The conversation that results from replaying a bundle. */
export function replayed(text: string) {
  const replay = new LogReplay({ startedAt: 0, agentName: 'log', versions: [LOGGED_V1] });
  text
    .trimEnd()
    .split('\n')
    .forEach((line) => replay.push(line));
  const recordings = replay.end();
  return { replay, state: recordings[0]!.events.reduce(reduce, EMPTY_STATE) };
}
